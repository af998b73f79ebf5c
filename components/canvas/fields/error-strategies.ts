/** Handling of one failed task among many. */
export const ERROR_STRATEGIES = [
  { value: "best_effort", label: "Continue without it" },
  { value: "fail_fast", label: "Fail the node" },
] as const;
