import { z } from "zod";

export const orderSchema = z.strictObject({
  urls: z.strictObject({ admin: z.string(), web: z.string(), runner: z.string() }),
  /** Created with keys if missing. */
  home: z.string(),
  sizes: z.array(z.int().min(1)).min(1),
  repeats: z.int().min(1),
  /** Ended runs and open approvals. */
  runs: z.int().min(1),
  waiting: z.int().min(1),
});
export type Order = z.infer<typeof orderSchema>;

const ms = z.number().min(0);
const runSchema = z.strictObject({
  records: z.int(),
  /** `first`: the process has not seen the run; others: medians. `checked`: floor with verification. */
  last: z.strictObject({ first: ms, again: ms, floor: ms, checked: ms }),
  middle: z.strictObject({ again: ms, floor: ms }),
  page: z.strictObject({ ours: ms, floor: ms }),
});
export type RunReads = z.infer<typeof runSchema>;

const listSchema = z.strictObject({ name: z.string(), p50: ms, p95: ms, floor: ms });
export type ListReads = z.infer<typeof listSchema>;

export const readSchema = z.strictObject({ runs: z.array(runSchema), lists: z.array(listSchema) });
export type Read = z.infer<typeof readSchema>;

export const peerSchema = z.object({ state_ms: ms, page_ms: ms });
export type PeerReads = z.infer<typeof peerSchema>;
