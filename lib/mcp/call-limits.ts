import { z } from "zod";

/** Bytes, for any tool. */
export const MAX_RESULT_BYTES = 262_144;

export const callLimitsSchema = z
  .strictObject({
    /** Idle; reset by progress. */
    timeout_ms: z.number().int().min(1_000).max(600_000),
    /** Total, regardless of progress. */
    total_ms: z.number().int().min(1_000).max(3_600_000),
    /** Others wait up to the total timeout. */
    concurrency: z.number().int().min(1).max(64),
    max_result_bytes: z.number().int().min(256).max(MAX_RESULT_BYTES),
    /** Consecutive faults and cool-down. */
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

/** Returns the tool's limits, else the server's, else default. */
export const getLimits = (tool: CallLimits | null, server: CallLimits | null, ours: CallLimits = DEFAULT_CALL_LIMITS): CallLimits =>
  tool ?? server ?? ours;
