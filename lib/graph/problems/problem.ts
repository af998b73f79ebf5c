import type { Step } from "@/lib/graph/analyse/flows";
import type { EditOperation } from "@/lib/graph/edit";

export const PROBLEMS = {
  shape: "error",
  duplicate_node: "error",
  duplicate_edge: "error",
  duplicate_key: "error",
  unseen_in_name: "error",
  dangling_edge: "error",
  dangling_reference: "error",
  unknown_start: "error",
  unknown_end: "error",
  no_end: "error",
  unreachable_end: "error",
  unreachable_node: "warning",
  dead_end: "error",
  self_edge: "warning",
  loop: "warning",
  endless_loop: "error",
  too_few_iterations: "warning",
  condition_invalid: "error",
  condition_key_undeclared: "error",
  condition_key_unread: "error",
  condition_type: "error",
  condition_never_true: "warning",
  condition_ignored: "warning",
  overlap: "error",
  no_default: "error",
  expression_invalid: "error",
  expression_key_unread: "error",
  expression_type: "error",
  schema_type_unknown: "error",
  key_schema_unusable: "error",
  inputs_schema_unusable: "error",
  check_schema_unusable: "error",
  read_undeclared: "error",
  write_undeclared: "error",
  path_not_granted: "error",
  read_never_written: "error",
  wildcard_grant: "warning",
  unused_grant: "warning",
  beyond_agent_ceiling: "warning",
  grant_without_effect: "error",
  answer_dropped: "warning",
  facts_unwritten: "error",
  agent_unknown: "error",
  approver_unknown: "error",
  approvers_too_few: "error",
  tool_unavailable: "error",
  server_inactive: "warning",
  program_gone: "warning",
  caller_not_allowed: "warning",
  tool_switched_off: "warning",
  tool_unlabelled: "warning",
  subgraph_tool_changed: "warning",
  argument_missing: "error",
  argument_unknown: "error",
  ungated_effect: "error",
  gate_bypassed: "warning",
  untrusted_to_protected: "error",
  untrusted_to_key: "error",
  untrusted_decision: "warning",
  untrusted_to_effect: "error",
  untrusted_outward: "warning",
  decision_never_clean: "error",
  secret_to_tool: "error",
  secret_in_text: "warning",
  hidden_in_text: "error",
  instructions_in_text: "warning",
  worker_kind: "error",
  worker_on_path: "error",
  item_outside_map: "error",
  reviewer_is_producer: "error",
  reviewer_same_family: "warning",
  quorum_too_high: "error",
  judge_missing: "error",
  tie_value_missing: "error",
  fields_missing: "error",
  field_doubled: "error",
  extract_unwritten: "error",
  extract_tools_ignored: "warning",
  reviewers_missing: "error",
  reviewers_of_one_family: "error",
  rework_to_end: "error",
  review_unbounded: "error",
  judge_without_review: "error",
  judge_without_extract: "error",
  judged_unreviewed: "error",
  judged_in_place: "error",
  judged_shared: "error",
  review_bypassed: "error",
  rule_missing: "error",
  rule_doubled: "error",
  rule_unknown: "error",
  rule_unfit: "error",
  rule_impossible: "error",
  pattern_invalid: "error",
  only_handles: "warning",
  extract_missing: "warning",
  checks_missing: "error",
  check_doubled: "error",
  checker_is_producer: "error",
  verification_idle: "warning",
  external_inputs_required: "error",
  input_undeclared: "error",
  input_protected: "error",
  input_doubled: "error",
  action_ignored: "warning",
  action_never_offered: "warning",
  trigger_doubled: "error",
  trigger_unusable: "error",
  trigger_input: "error",
  trigger_expression: "error",
  trigger_schedule: "error",
  subgraph_unknown: "error",
  subgraph_cycle: "error",
  subgraph_too_deep: "error",
  mapping_undeclared: "error",
  mapping_missing: "error",
  missing_budget: "warning",
  missing_timeout: "warning",
} as const satisfies Record<string, "error" | "warning">;

export type ProblemCode = keyof typeof PROBLEMS;
export type Severity = (typeof PROBLEMS)[ProblemCode];

export type Fix = { readonly title: string; readonly edits: readonly EditOperation[] };

/** Empty: the graph itself. */
export type Place = { readonly node?: string; readonly edge?: string; readonly key?: string };

export type Problem = Place & {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: Fix;
  /** Solved by widening an agent too, in every graph that uses it. */
  readonly widens?: { readonly agent: string; readonly side: "read_keys" | "write_keys"; readonly path: string };
  readonly witness?: readonly Step[];
};

export const createProblem = (code: ProblemCode, place: Place, message: string, fix?: Fix): Problem => ({
  code,
  severity: PROBLEMS[code],
  ...place,
  message,
  ...(fix ? { fix } : {}),
});

/** Returns an id that survives edits. */
export const getProblemId = ({ code, node, edge, key }: Problem): string =>
  [code, node, edge, key].filter((part) => part !== undefined).join(":");
