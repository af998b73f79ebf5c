/** Returns the retry delay, ms. Exponential, full `jitter` in [0, 1). */
export const computeBackoffMs = (
  policy: { readonly backoff: "fixed" | "linear" | "exponential"; readonly backoff_ms: number },
  failures: number,
  jitter: number,
): number => {
  if (policy.backoff === "fixed") return policy.backoff_ms;
  if (policy.backoff === "linear") return policy.backoff_ms * failures;

  return Math.round(policy.backoff_ms * 2 ** (failures - 1) * jitter);
};
