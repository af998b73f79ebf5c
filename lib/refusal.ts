import { z } from "zod";

export const REFUSALS = {
  not_found: { message: "Not found: it doesn't exist, or you don't have access to it.", retry: false },
  duplicate_decision: { message: "This decision was already made.", retry: false },
  version_conflict: { message: "The run has moved on since this was proposed.", retry: true },
  late_result: { message: "The lease for this work has expired.", retry: false },
  run_frozen: {
    message:
      "The run is frozen: its ledger does not verify, values it needs were shredded, or it was not released after a database restore.",
    retry: false,
  },
  run_finished: { message: "The run has ended.", retry: false },
  run_exists: { message: "The run has already started.", retry: false },
  time_limit: { message: "The run's time limit is reached.", retry: false },
  iteration_limit: { message: "The run's iteration limit is reached.", retry: false },
  subgraph_time_limit: { message: "The subgraph's time limit is reached.", retry: false },
  subgraph_iteration_limit: { message: "The subgraph's iteration limit is reached.", retry: false },
  token_budget: { message: "This would exceed the run's token budget.", retry: false },
  cost_budget: { message: "This would exceed the run's cost budget.", retry: false },
  node_budget: { message: "This would exceed the node's budget.", retry: false },
  reservation_unknown: { message: "No budget is reserved for this call.", retry: false },
  task_unknown: { message: "The node has no such task.", retry: false },
  node_not_active: { message: "The run is not at this node.", retry: false },
  principal_not_allowed: { message: "This principal is not allowed to propose this.", retry: false },
  action_unknown: { message: "Unknown action.", retry: false },
  action_not_granted: { message: "The node has no grant for this control action.", retry: false },
  key_undeclared: { message: "The graph does not declare this memory key.", retry: false },
  write_not_granted: { message: "The node may not write this key.", retry: false },
  read_not_granted: { message: "The node may not read this key.", retry: false },
  value_not_json: { message: "The value is not valid JSON.", retry: false },
  value_too_large: { message: "The value is larger than its key allows.", retry: false },
  value_too_deep: { message: "The value is nested deeper than its key allows.", retry: false },
  value_invalid: { message: "The value does not match its key's schema.", retry: false },
  integrity_too_low: { message: "The key requires a more trusted source.", retry: false },
  key_protected: { message: "The key is protected, and this node may not change it.", retry: false },
  tool_not_granted: { message: "The node may not call this tool.", retry: false },
  tool_unavailable: { message: "The tool's server is not active.", retry: true },
  tool_drifted: { message: "The tool's definition changed since it was reviewed.", retry: false },
  sink_not_cleared: { message: "The data is too confidential for this tool.", retry: false },
  arguments_invalid: { message: "The arguments do not match the tool's pinned schema.", retry: false },
  effect_unknown: { message: "This effect is not in progress.", retry: false },
  approval_unknown: { message: "No such approval is pending.", retry: false },
  approval_closed: { message: "The approval is no longer open.", retry: false },
  approval_expired: { message: "The approval has expired.", retry: false },
  approval_not_due: { message: "The approval has not expired yet.", retry: true },
  approval_stale: { message: "The data behind this approval changed.", retry: true },
  transition_mismatch: { message: "The decision is for a different transition than the pending one.", retry: true },
  view_mismatch: { message: "The request changed while you were deciding. Review it again.", retry: true },
  passkey_required: { message: "Sign this with your passkey.", retry: true },
  passkey_invalid: { message: "The passkey signature is invalid, was used before, or is not from one of your passkeys.", retry: true },
  passkey_not_allowed: {
    message: "Sign with an existing passkey, or ask an admin to allow a new one.",
    retry: true,
  },
  passkey_exists: { message: "This passkey is already registered.", retry: false },
  passkey_limit: { message: "You have reached the maximum number of passkeys.", retry: false },
  policy_moved: { message: "The policy or the request to lower it changed. Review it again.", retry: true },
  policy_second_person: { message: "A different admin must confirm this, because you asked for it.", retry: false },
  own_account: { message: "You can't change your own role, add-on or access. Ask another admin.", retry: false },
  person_changed: { message: "Someone else changed this person's role or access. Review it again.", retry: true },
  person_known: { message: "This address already belongs to a member.", retry: false },
  identity_known: { message: "This account already has an identity, or this identity belongs to another account.", retry: false },
  identity_last: { message: "This identity is the account's only way to sign in. Disable the account instead.", retry: false },
  invite_limit: { message: "The workspace has reached the maximum number of open invites.", retry: true },
  nonce_mismatch: { message: "The decision does not belong to this approval.", retry: false },
  input_invalid: { message: "The answer does not match the tool's form.", retry: true },
  reason_missing: { message: "Enter a reason to reject or to request changes.", retry: true },
  changes_unsupported: { message: "Changes can't be requested here. Reject with a reason instead.", retry: false },
  changes_limit: { message: "The node has no attempts left. Approve or reject.", retry: false },
  changes_requested: { message: "A reviewer requested changes to this call.", retry: true },
  call_rejected: {
    message: "A reviewer rejected this call, so it was not made. Continue with the rest of the work without it.",
    retry: true,
  },
  call_repeated: { message: "A reviewer already rejected this call in this run. Don't propose it again.", retry: false },
  edit_unsupported: { message: "This request can't be edited.", retry: false },
  edit_unchanged: { message: "The edit doesn't change the proposal.", retry: false },
  edit_limit: { message: "This proposal has reached the maximum number of edits.", retry: false },
  own_edit: { message: "You edited this proposal, so someone else must approve it too.", retry: false },
  comment_limit: { message: "This approval has reached the maximum number of comments.", retry: false },
  role_missing: { message: "Your role can't decide this.", retry: false },
  own_run: { message: "You can't approve a run you started.", retry: false },
  own_work: { message: "You can't review work you took part in.", retry: false },
  own_version: { message: "The author of the graph version can't be the only approver.", retry: false },
  supervisor_routing: { message: "The supervisor does not manage this node.", retry: true },
  supervisor_limit: { message: "The supervisor has reached its choice limit.", retry: false },
  handoff_not_declared: { message: "The node may not hand off to this node.", retry: false },
  handoff_limit: { message: "The run has reached its hand-off limit.", retry: false },
  subgraph_missing: { message: "The subgraph is not part of this version.", retry: false },
  subgraph_depth: { message: "Subgraphs are nested too deeply.", retry: false },
  nothing_to_undo: { message: "There is nothing to undo.", retry: false },
  fork_point: { message: "The run cannot be forked at this record.", retry: false },
  fork_change: { message: "This change cannot be made at this record.", retry: false },
  fork_widens: {
    message: "A live fork may not do more than its parent run. Simulate it, or publish the change.",
    retry: false,
  },
  fork_depth: { message: "Forks are nested too deeply.", retry: false },
  value_shredded: { message: "A value needed for this was shredded.", retry: false },
  fork_limit: { message: "The run has reached its fork limit.", retry: false },
  simulation_mismatch: { message: "A simulated fork can't become live, or vice versa.", retry: false },
  route_failed: { message: "A condition on an edge out of the node failed.", retry: false },
  route_missing: { message: "The node has no outgoing edge to follow.", retry: false },
  inputs_invalid: { message: "The inputs do not match the graph's launch form.", retry: false },
  limits_exceeded: { message: "The limits exceed those of the graph version.", retry: false },
  unknown_action: { message: "This action is not legal now. Choose one of the legal actions.", retry: false },
  invalid_transition: { message: "This action is not legal now. Choose one of the legal actions.", retry: false },
  validation_failed: { message: "The inputs do not match the action's schema.", retry: true },
  approval_pending: { message: "An approval is pending, or the previous action is still in progress.", retry: true },
  scope_missing: { message: "The token does not allow this.", retry: false },
  token_run_limit: { message: "This token has reached its run limit for 24 hours.", retry: true },
  token_session_limit: { message: "This token has reached its session limit for 24 hours.", retry: true },
  token_without_key: {
    message: "This token is too old to sign requests. Revoke it under Outside agents and create a new one.",
    retry: false,
  },
  token_cost_limit: { message: "This token has reached its cost limit for 24 hours.", retry: true },
  idempotency_conflict: { message: "The idempotency key was already used for a different request.", retry: false },
  idle_limit: { message: "The run has reached its idle limit.", retry: false },
  verdict_unknown: { message: "This reviewer was not asked.", retry: false },
  case_unknown: { message: "No such case is open.", retry: false },
  opening_denied: { message: "You don't have access to this value.", retry: false },
  verification_failed: { message: "The effect did not pass its verification.", retry: false },
  step_refused: { message: "The change conflicts with the current state, so it was not made.", retry: true },
  version_moved: { message: "The draft, the latest version or the request changed. Review it again.", retry: true },
  graph_invalid: { message: "The graph has errors. Fix them and publish again.", retry: false },
  second_person_missing: {
    message: "This version may do more than the previous one, so a second person must publish it.",
    retry: false,
  },
  command_forged: { message: "The command was not sent by the person or agent named in its row.", retry: false },
  command_stale: { message: "The command arrived too late. Send it again.", retry: true },
  link_invalid: { message: "The link has expired, or it can't do that. Open the request instead.", retry: false },
  session_over: { message: "Your session has ended. Sign in and try again.", retry: true },
  step_up_required: { message: "Confirm your identity. A confirmation is valid for five minutes.", retry: true },
  projection_mismatch: {
    message: "The database contradicts this workspace's signed records. Ask an operator.",
    retry: false,
  },
  authority_unverified: {
    message: "The workspace's ledger does not verify, so nothing can be decided. Ask an operator.",
    retry: false,
  },
  malformed: { message: "The proposal is malformed.", retry: false },
} as const satisfies Record<string, { message: string; retry: boolean }>;

export type RefusalCode = keyof typeof REFUSALS;
const codes = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]];
export const refusalCodeSchema = z.enum(codes);

const MAX_CHARACTERS = 1_200;
const MOST_IDS = 100;
const MOST_LEGAL = 200;

export const refusalSchema = z.strictObject({
  code: refusalCodeSchema,
  /** Declared ids only, never data. */
  ids: z.array(z.string().max(MAX_CHARACTERS)).max(MOST_IDS),
  /** Legal now, as `action:id`. */
  legal: z.array(z.string().max(MAX_CHARACTERS)).max(MOST_LEGAL),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** An invalid record would make the ledger unreadable. */
const listed = (names: readonly string[], most: number): string[] => names.filter((name) => name.length <= MAX_CHARACTERS).slice(0, most);

export const refuse = (code: RefusalCode, ids: readonly string[] = [], legal: readonly string[] = []): Refusal => ({
  code,
  ids: listed(ids, MOST_IDS),
  legal: listed(legal, MOST_LEGAL),
});

export const describeRefusal = (refusal: Refusal): string => REFUSALS[refusal.code].message;
