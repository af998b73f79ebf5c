/** When one of many tasks fails. */
export const ERROR_STRATEGIES = [
  { value: "best_effort", label: "Continue without it" },
  { value: "fail_fast", label: "Fail the node" },
] as const;
