/** Refusals: stable code, fixed sentence, and whether a retry can help. */
import { z } from "zod";

export const REFUSALS = {
  not_found: { message: "There is nothing here under that id.", retry: false },
  duplicate_decision: { message: "This decision was already made.", retry: false },
  version_conflict: { message: "The run has moved on since this was proposed.", retry: true },
  late_result: { message: "The lease under which this was worked on is over.", retry: false },
  run_frozen: {
    message:
      "The run is frozen: its ledger does not verify, values that it needs were shredded, or the database was restored and nobody released it yet.",
    retry: false,
  },
  run_finished: { message: "The run has ended.", retry: false },
  run_exists: { message: "The run has already started.", retry: false },
  time_limit: { message: "The run's time limit is reached.", retry: false },
  iteration_limit: { message: "The run's iteration limit is reached.", retry: false },
  subgraph_time_limit: { message: "The subgraph's time limit is reached.", retry: false },
  subgraph_iteration_limit: { message: "The subgraph's iteration limit is reached.", retry: false },
  token_budget: { message: "The run's token budget does not cover this.", retry: false },
  cost_budget: { message: "The run's cost budget does not cover this.", retry: false },
  node_budget: { message: "The node's budget does not cover this.", retry: false },
  reservation_unknown: { message: "No budget was set aside for this call.", retry: false },
  task_unknown: { message: "The node has no such task.", retry: false },
  node_not_active: { message: "This node is not the one the run is at.", retry: false },
  principal_not_allowed: { message: "This principal may not propose this.", retry: false },
  action_unknown: { message: "There is no such action.", retry: false },
  action_not_granted: { message: "The node has no grant for this control action.", retry: false },
  key_undeclared: { message: "The graph declares no such memory key.", retry: false },
  write_not_granted: { message: "The node may not write this key.", retry: false },
  read_not_granted: { message: "The node may not read this key.", retry: false },
  value_not_json: { message: "The value is not plain JSON.", retry: false },
  value_too_large: { message: "The value is larger than its key allows.", retry: false },
  value_too_deep: { message: "The value is nested deeper than its key allows.", retry: false },
  value_invalid: { message: "The value does not match its key's schema.", retry: false },
  integrity_too_low: { message: "The key demands a more trusted source.", retry: false },
  key_protected: { message: "The key is protected and not this node's to change.", retry: false },
  tool_not_granted: { message: "The node may not call this tool.", retry: false },
  tool_unavailable: { message: "The tool's server is not active.", retry: true },
  tool_drifted: { message: "The tool's definition is no longer the one that was reviewed.", retry: false },
  sink_not_cleared: { message: "The tool may not be told data this confidential.", retry: false },
  arguments_invalid: { message: "The arguments do not match the tool's pinned schema.", retry: false },
  effect_unknown: { message: "There is no such effect under way.", retry: false },
  approval_unknown: { message: "There is no such approval waiting.", retry: false },
  approval_closed: { message: "The approval is no longer open.", retry: false },
  approval_expired: { message: "The approval has expired.", retry: false },
  approval_not_due: { message: "The approval has not expired.", retry: true },
  approval_stale: { message: "Something this approval is based on has changed.", retry: true },
  transition_mismatch: { message: "The decision is for another transition than the one that waits.", retry: true },
  view_mismatch: { message: "The decision is for another view than the one the server shows.", retry: true },
  passkey_required: { message: "This has to be signed with your passkey.", retry: true },
  passkey_invalid: { message: "The passkey did not sign this, signed it before, or is not one of yours.", retry: true },
  passkey_not_allowed: {
    message: "Sign with a passkey that you have already, or ask an admin to allow a new passkey for you.",
    retry: true,
  },
  passkey_exists: { message: "This passkey is registered already.", retry: false },
  passkey_limit: { message: "You have as many passkeys as one person may have.", retry: false },
  policy_moved: { message: "The policy or the request to lower it has changed in the meantime. Look at it again.", retry: true },
  policy_second_person: { message: "A different admin has to confirm this: you asked for it.", retry: false },
  own_account: { message: "Nobody changes their own role, add-on or access: another admin has to.", retry: false },
  person_changed: { message: "Somebody changed this person's role or access in the meantime.", retry: true },
  person_known: { message: "Somebody of this workspace has this address already.", retry: false },
  identity_known: { message: "This account is linked to an identity already, or this identity to another account.", retry: false },
  identity_last: { message: "This identity is the only way into the account: disable the account instead.", retry: false },
  invite_limit: { message: "As many invites are open as a workspace may have.", retry: true },
  nonce_mismatch: { message: "The decision does not belong to this approval.", retry: false },
  input_invalid: { message: "The answer does not fill in the form that the tool asks with.", retry: true },
  reason_missing: { message: "A rejection and a request for changes need a reason.", retry: true },
  changes_unsupported: { message: "Nobody could act on changes here: reject with a reason instead.", retry: false },
  changes_limit: { message: "The node has used up its attempts: approve or reject.", retry: false },
  changes_requested: { message: "A person asked for changes to this call instead of allowing it.", retry: true },
  edit_unsupported: { message: "Nothing is proposed here that could be edited.", retry: false },
  edit_unchanged: { message: "The edit proposes what is proposed already.", retry: false },
  edit_limit: { message: "This proposal has been edited as often as it may be.", retry: false },
  own_edit: { message: "Who edited a proposal cannot be the only one to approve it.", retry: false },
  comment_limit: { message: "This approval has as many comments as it may have.", retry: false },
  role_missing: { message: "Your role may not decide this.", retry: false },
  own_run: { message: "Whoever started the run may not approve in it.", retry: false },
  own_work: { message: "Whoever had a part in making this may not review it.", retry: false },
  own_version: { message: "The author of the graph version cannot be the only one to approve.", retry: false },
  supervisor_routing: { message: "The supervisor does not manage this node.", retry: true },
  supervisor_limit: { message: "The supervisor has made all the choices it may make.", retry: false },
  handoff_not_declared: { message: "The node may not hand the run to this node.", retry: false },
  handoff_limit: { message: "The run has been handed off as often as it may be.", retry: false },
  subgraph_missing: { message: "The subgraph is not part of this version.", retry: false },
  subgraph_depth: { message: "Subgraphs are nested deeper than they may be.", retry: false },
  nothing_to_undo: { message: "There is nothing to undo now.", retry: false },
  fork_point: { message: "The run cannot be forked at this record.", retry: false },
  fork_change: { message: "This change cannot be made at this record.", retry: false },
  fork_widens: {
    message: "A live fork may do no more than the run that it goes on from: simulate it, or publish the change.",
    retry: false,
  },
  fork_depth: { message: "Forks are nested deeper than they may be.", retry: false },
  value_shredded: { message: "A value that is needed for this was shredded.", retry: false },
  fork_limit: { message: "The run has been forked as often as it may be.", retry: false },
  simulation_mismatch: { message: "What is simulated does not become real, nor the other way round.", retry: false },
  route_failed: { message: "A condition on the way out of the node failed.", retry: false },
  route_missing: { message: "No edge leads on from the node.", retry: false },
  inputs_invalid: { message: "The inputs do not match the graph's launch form.", retry: false },
  limits_exceeded: { message: "A run may be allowed no more than its version allows.", retry: false },
  unknown_action: { message: "This action is not legal now; see what is.", retry: false },
  invalid_transition: { message: "This action is not legal now; see what is.", retry: false },
  validation_failed: { message: "The inputs do not fit the action.", retry: true },
  approval_pending: { message: "A person has to decide first, or the action before is still at work.", retry: true },
  scope_missing: { message: "The token does not allow this.", retry: false },
  token_run_limit: { message: "This token has started as many runs as it may within 24 hours.", retry: true },
  token_session_limit: { message: "This token has opened as many sessions as it may within 24 hours.", retry: true },
  token_without_key: {
    message: "This token was made before agents signed what they ask. Revoke it under Connect and make a new one.",
    retry: false,
  },
  token_cost_limit: { message: "The runs of this token have cost as much as they may within 24 hours.", retry: true },
  idempotency_conflict: { message: "The idempotency key was used for something else.", retry: false },
  idle_limit: { message: "The run has rested for as long as it may.", retry: false },
  verdict_unknown: { message: "This reviewer was not asked about this.", retry: false },
  case_unknown: { message: "There is no such open case.", retry: false },
  opening_denied: { message: "This value is not yours to open.", retry: false },
  verification_failed: { message: "The effect did not pass its verification.", retry: false },
  step_refused: { message: "The change was not made: it does not fit what is there now.", retry: true },
  version_moved: { message: "The draft, the newest version or the request has changed in the meantime. Look at it again.", retry: true },
  graph_invalid: { message: "The graph has errors. Fix them and publish again.", retry: false },
  second_person_missing: {
    message: "This version may do more than the one before it, so a second person has to publish it.",
    retry: false,
  },
  command_forged: { message: "The command was not sent by the person or agent that its row names.", retry: false },
  command_stale: { message: "The command arrived too late to be carried out. Send it again.", retry: true },
  session_over: { message: "The session that sent this has ended. Sign in and send it again.", retry: true },
  step_up_required: { message: "This takes a proof of who you are that is at most five minutes old. Confirm that it is you.", retry: true },
  projection_mismatch: {
    message: "The database says something else than the signed records of this workspace. An operator has to look at it.",
    retry: false,
  },
  authority_unverified: {
    message: "The workspace's own ledger does not verify, so nothing can be decided in it. An operator has to look at it.",
    retry: false,
  },
  malformed: { message: "The proposal is not of a known form.", retry: false },
} as const satisfies Record<string, { message: string; retry: boolean }>;

export type RefusalCode = keyof typeof REFUSALS;
const codes = Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]];

const MAX_CHARACTERS = 1_200;
const MOST_IDS = 100;
const MOST_LEGAL = 200;

export const refusalSchema = z.strictObject({
  code: z.enum(codes),
  /** Declared ids only (nodes, keys, tools, approvals); never data. */
  ids: z.array(z.string().max(MAX_CHARACTERS)).max(MOST_IDS),
  /** Legal now, as `action:id`. */
  legal: z.array(z.string().max(MAX_CHARACTERS)).max(MOST_LEGAL),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** Drops what its own schema would reject: such a record would make the ledger unreadable. */
const listed = (names: readonly string[], most: number): string[] => names.filter((name) => name.length <= MAX_CHARACTERS).slice(0, most);

export const refuse = (code: RefusalCode, ids: readonly string[] = [], legal: readonly string[] = []): Refusal => ({
  code,
  ids: listed(ids, MOST_IDS),
  legal: listed(legal, MOST_LEGAL),
});

export const refusalMessage = (refusal: Refusal): string => REFUSALS[refusal.code].message;
