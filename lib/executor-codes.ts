/** Besides refusals and errors of models. */
const CODES = [
  "agent_missing",
  "agent_steps_exhausted",
  "answer_has_no_key",
  "answer_not_json",
  "answer_truncated",
  "evolution_no_candidates",
  "executor_failed",
  "expression_failed",
  "item_timeout",
  "map_no_list",
  "map_no_worker",
  "map_too_many_items",
  "node_timeout",
  "nothing_to_extract",
  "tool_error",
  "vote_no_quorum",
  "vote_not_judged",
  "vote_tied",
  "wait_time_invalid",
  "worker_lost",
  "wrong_kind",
] as const;

export const isExecutorCode = (code: string): boolean => (CODES as readonly string[]).includes(code);
