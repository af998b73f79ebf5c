/** What the process that reads is told, and what it answers. */
import { z } from "zod";

export const orderSchema = z.strictObject({
  urls: z.strictObject({ admin: z.string(), web: z.string(), runner: z.string() }),
  /** A state folder, made with its keys when it is not there. */
  home: z.string(),
  /** How many records each run has that is read. */
  sizes: z.array(z.int().min(1)).min(1),
  repeats: z.int().min(1),
  /** How long the lists are: runs that are over, and approvals that wait. */
  runs: z.int().min(1),
  waiting: z.int().min(1),
});
export type Order = z.infer<typeof orderSchema>;

const ms = z.number().min(0);
const runSchema = z.strictObject({
  records: z.int(),
  /**
   * The state after the last record and after the one in the middle, in milliseconds. `first`: by a process that has not seen the run
   * (measured once); the others: medians. `checked`: the floor with a digest and a signature for each record.
   */
  last: z.strictObject({ first: ms, again: ms, floor: ms, checked: ms }),
  middle: z.strictObject({ again: ms, floor: ms }),
  /** A page of 500 records with what stands in their cells. */
  page: z.strictObject({ ours: ms, floor: ms }),
});
export type RunReads = z.infer<typeof runSchema>;

const listSchema = z.strictObject({ name: z.string(), p50: ms, p95: ms, floor: ms });
export type ListReads = z.infer<typeof listSchema>;

export const readSchema = z.strictObject({ runs: z.array(runSchema), lists: z.array(listSchema) });
export type Read = z.infer<typeof readSchema>;

export const peerSchema = z.object({ state_ms: ms, page_ms: ms });
export type PeerReads = z.infer<typeof peerSchema>;
