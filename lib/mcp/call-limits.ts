/** What one tool may cost us: how long, how many at once, how much it may answer, and when it is left alone for a while. */
import { z } from "zod";

/** The most that any answer may have, whatever a tool's own limit says. */
export const MAX_RESULT_BYTES = 262_144;

export const callLimitsSchema = z
  .strictObject({
    /** How long the server may say nothing at all. Progress begins it anew. */
    timeout_ms: z.number().int().min(1_000).max(600_000),
    /** How long the whole call may take, whatever the server says in between. */
    total_ms: z.number().int().min(1_000).max(3_600_000),
    /** How many calls may be under way at once; more wait, for as long as a call may take. */
    concurrency: z.number().int().min(1).max(64),
    max_result_bytes: z.number().int().min(256).max(MAX_RESULT_BYTES),
    /** After so many calls in a row without a usable answer nothing is called until the tool has cooled down. */
    breaker: z.strictObject({ faults: z.number().int().min(1).max(1_000), cool_down_ms: z.int().min(1_000).max(3_600_000) }),
  })
  .refine(({ timeout_ms, total_ms }) => timeout_ms <= total_ms, {
    path: ["total_ms"],
    message: "The total timeout must be at least the idle timeout.",
  });
export type CallLimits = z.infer<typeof callLimitsSchema>;

export const DEFAULT_CALL_LIMITS: CallLimits = {
  timeout_ms: 60_000,
  total_ms: 300_000,
  concurrency: 8,
  max_result_bytes: MAX_RESULT_BYTES,
  breaker: { faults: 5, cool_down_ms: 30_000 },
};

/** The tool's own limits, else its server's, else ours. */
export const limitsOf = (tool: CallLimits | null, server: CallLimits | null, ours: CallLimits = DEFAULT_CALL_LIMITS): CallLimits =>
  tool ?? server ?? ours;
