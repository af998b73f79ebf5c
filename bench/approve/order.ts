import { z } from "zod";

const url = z.string();

export const orderSchema = z.strictObject({
  urls: z.strictObject({ admin: url, web: url, runner: url, customers: url }),
  home: z.string(),
  /** Runs that wait. */
  waiting: z.int().min(1),
  /** Approvals, one each `everyMs`. */
  paced: z.int().min(1),
  /** Approvals at once. */
  burst: z.int().min(1),
  everyMs: z.int().min(0),
});
export type Order = z.infer<typeof orderSchema>;

const ms = z.number().min(0);

/** Milliseconds from sending a decision to the answered call's record. */
const latencySchema = z.strictObject({ approved: z.int(), p50: ms, p95: ms, most: ms });
export type Latency = z.infer<typeof latencySchema>;

export const approvedSchema = z.strictObject({ paced: latencySchema, burst: latencySchema });
export type Approved = z.infer<typeof approvedSchema>;
