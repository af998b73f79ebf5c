import { describe, expect, test } from "vitest";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { child, END, step, using, version } from "@/lib/engine/testing/kinds";
import type { GraphInput } from "@/lib/graph/document";
import { agent, atRest, driven, step as takes } from "@/lib/engine/testing/outside";
import {
  atGate,
  atParse,
  AUTHOR,
  getCode,
  decideAs,
  decision,
  engine,
  executor,
  intent,
  newRun,
  openGate,
  result,
  REVIEWER,
  SECOND,
  startBody,
  started,
  STARTER,
  update,
  user,
  uuid,
} from "@/lib/engine/testing/run";
import { atQuestion } from "@/lib/engine/testing/tool-input";
import { answer, ask } from "@/lib/engine/testing/work";
import type { Verdict } from "@/lib/engine/decide/verdict";

const SMALL = publishWith();
const reviewer = user(REVIEWER);
const dueGate = (change: Record<string, unknown> = {}) =>
  publishWith({ nodes: nodesWith("ask", { config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", ...change } }) });
const DRIVEN = driven([step("first"), step("last")]);
const CHILD = [child("c", version([step("one"), step("two")]))];
const inside = (limits: Partial<GraphInput>) => {
  const limited = [child("c", version([step("one"), step("two")], limits))];
  const run = started(version([using("sub", "c"), END], {}, { subgraphs: limited }));
  run.work(result());

  return run;
};
const LEAD = { id: "lead", kind: "supervisor" as const, config: { agent_id: "plain", managed_nodes: ["a"], max_iterations: 1 } };
const PEER = { id: "a", kind: "agent" as const, config: { agent_id: "plain", swarm: { peers: ["b"], max_handoffs: 1 } } };
const handoff = (node: string) => ({ kind: "action" as const, action: { type: "handoff", node } });
const limited = (limits: Partial<GraphInput>) => started(publishWith(limits));

const REACHED: Record<RefusalCode, (() => Verdict) | string> = {
  not_found: () => atParse().propose(executor("parse"), { kind: "begin" }, { workspace: uuid(99) }),
  duplicate_decision: () => {
    const run = atGate(dueGate({ quorum: 2 }));
    decideAs(run, reviewer);

    return decideAs(run, reviewer);
  },
  version_conflict: () => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));

    return run.work(intent("docs", "read", { topic: "plans" }));
  },
  late_result: () => atParse().propose(executor("parse", 7), { kind: "node_result", activation: 5, actions: [] }),
  run_frozen: "server/runner/open-run: a ledger that does not verify is not even loaded",
  value_shredded: "server/runner/shred.db.test.ts",
  run_finished: () => {
    const run = started(SMALL);
    run.propose(user(STARTER, "builder"), { kind: "cancel" });

    return run.propose(user(STARTER, "builder"), { kind: "cancel" });
  },
  run_exists: () => started(SMALL).propose(user(STARTER, "builder"), startBody(SMALL)),
  time_limit: () => {
    const run = limited({ max_execution_time_ms: 1_000 });
    run.pass(1_000);

    return run.work(intent("docs", "read", { topic: "plans" }));
  },
  subgraph_time_limit: () => {
    const run = inside({ max_execution_time_ms: 1_000 });
    run.pass(1_000);

    return run.work(result());
  },
  subgraph_iteration_limit: () => {
    const run = inside({ max_iterations: 1 });
    run.work(result());

    return run.work(result());
  },
  iteration_limit: () => atParse(publishWith({ max_iterations: 1 })).work(result(update("note", "x"))),
  token_budget: () => atParse(publishWith({ max_token_budget: 0 })).work({ kind: "model_intent", tokens: 1, cost_micro_usd: 0 }),
  cost_budget: () => atParse(publishWith({ budget_usd: 0 })).work({ kind: "model_intent", tokens: 1, cost_micro_usd: 1 }),
  subgraph_budget: () => {
    const poor = version([{ id: "one", kind: "agent", write_keys: ["out"], config: { agent_id: "plain" } }], { max_token_budget: 10 });
    const run = started(version([using("sub", "c"), END], {}, { subgraphs: [child("c", poor)] }));
    run.work(result());
    ask(run, "", { usage: { model: "m", input_tokens: 11, output_tokens: 0, cost_micro_usd: 0, price_source: "t" } });

    return run.work(result());
  },
  node_budget: () =>
    atParse(publishWith({ nodes: nodesWith("parse", { budget: { max_tokens: 0 } }) })).work({
      kind: "model_intent",
      tokens: 1,
      cost_micro_usd: 0,
    }),
  reservation_unknown: () => answer(atParse(), uuid(77)),
  task_unknown: () => atParse().work({ kind: "model_intent", task: "voter.0", tokens: 1, cost_micro_usd: 0 }),
  node_not_active: () => atParse().propose(executor("write"), { kind: "node_result", activation: 5, actions: [] }),
  principal_not_allowed: () => started(SMALL).propose(executor("fetch"), { kind: "cancel" }),
  action_unknown: () => atParse().work(result({ type: "_promote", key: "mail" })),
  action_not_granted: () => atParse().work(result({ type: "goto_node", node: "write" })),
  key_undeclared: () => atParse().work(result(update("nowhere", 1))),
  write_not_granted: () => atParse().work(result(update("salary", 1))),
  read_not_granted: () => started(version([using("sub", "c", { inputs: { topic: "topic" } })], {}, { subgraphs: CHILD })).work(result()),
  value_not_json: () => atParse().work(result(update("note", Number.NaN))),
  value_too_large: () => atParse().work(result(update("note", "x".repeat(300)))),
  value_too_deep: () => atParse().work(result(update("note", [[[[[1]]]]]))),
  value_invalid: () => atParse().work(result(update("request", { plan: 1 }))),
  artifact_unknown: () => atParse().work(result(update("note", { $artifact: "a" }))),
  integrity_too_low: () => atParse().work(result(update("verdict", "guilty"))),
  key_protected: () => atParse().work({ kind: "action", action: update("is_admin", true) }),
  tool_not_granted: () => atParse().work(intent("crm", "erase", {})),
  tool_unavailable: () => started(SMALL).work({ ...intent("docs", "read", { topic: "plans" }), availability: "unavailable" }),
  tool_drifted: () => started(SMALL).work({ ...intent("docs", "read", { topic: "plans" }), availability: "drifted" }),
  sink_not_cleared: () =>
    atParse(publishWith({ nodes: nodesWith("parse", { read_keys: ["salary"] }) }), { topic: "plans", salary: 1 }).work(
      intent("crm", "update", { plan: "team" }),
    ),
  arguments_invalid: () => atParse().work(intent("crm", "update", { plan: 1 })),
  effect_unknown: () => atParse().propose(executor("parse"), { kind: "effect_outcome", effect_id: uuid(77), outcome: "ok", result: 1 }),
  approval_unknown: () => {
    const run = atGate();

    return run.propose(reviewer, { ...decision(run, reviewer), approval_id: uuid(77) });
  },
  approval_closed: () => {
    const run = atGate();
    const made = decision(run, reviewer);
    run.propose(reviewer, made);

    return run.propose(user(SECOND), made);
  },
  approval_expired: () => {
    const run = atGate();
    run.pass(25 * 3_600_000);

    return decideAs(run, reviewer);
  },
  approval_not_due: () => {
    const run = atGate();

    return run.propose(engine, { kind: "expire", approval_id: openGate(run).gate.id });
  },
  approval_stale: () => {
    const run = atGate();
    run.underPolicy("0".repeat(64));

    return decideAs(run, reviewer);
  },
  transition_mismatch: () => {
    const run = atGate();

    return run.propose(reviewer, { ...decision(run, reviewer), transition_digest: "0".repeat(64) });
  },
  view_mismatch: () => {
    const run = atGate();

    return run.propose(reviewer, { ...decision(run, reviewer), view_digest: "0".repeat(64) });
  },
  nonce_mismatch: () => {
    const run = atGate();

    return run.propose(reviewer, { ...decision(run, reviewer), nonce: uuid(77) });
  },
  input_invalid: () => {
    const run = atQuestion();

    return decideAs(run, reviewer);
  },
  role_missing: () => decideAs(atGate(), user(REVIEWER, "admin")),
  own_run: () => decideAs(atGate(), user(STARTER)),
  own_work: "lib/engine/approvals/cases.test.ts",
  group_changed: "lib/people/decide-approvers.test.ts",
  environment_changed: "lib/environments/environments.test.ts",
  environment_name_taken: "lib/environments/environments.test.ts",
  promotion_order: "lib/environments/promotion.test.ts",
  promotion_limit: "lib/environments/promotion.test.ts",
  environment_not_granted: "server/api/runs.db.test.ts",
  secret_missing: "lib/engine/environment.test.ts",
  environment_unknown: "server/runner/environments.db.test.ts",
  directory_changed: "lib/people/directory.test.ts",
  directory_limit: "lib/people/provision.test.ts",
  directory_member_unknown: "lib/people/provision.test.ts",
  last_admin: "lib/people/directory.test.ts",
  rule_changed: "lib/people/decide-approvers.test.ts",
  rule_limit: "lib/people/decide-approvers.test.ts",
  group_name_taken: "lib/people/decide-approvers.test.ts",
  delegate_unable: "lib/people/decide-approvers.test.ts",
  delegation_invalid: "lib/people/decide-approvers.test.ts",
  delegation_chain: "lib/people/decide-approvers.test.ts",
  not_named: () => decideAs(atGate(publishWith({ nodes: nodesWith("ask", { approvers: { people: [SECOND] } }) })), reviewer),
  own_version: () => decideAs(atGate(), user(AUTHOR)),
  supervisor_routing: () => started(version([LEAD, step("a"), step("z")])).work(result({ type: "goto_node", node: "z" })),
  supervisor_limit: () => {
    const run = started(version([LEAD, step("a")], { edges: [{ id: "back", source: "a", target: "lead" }] }));
    run.work(result({ type: "goto_node", node: "a" }));
    run.work(result());

    return run.work(result({ type: "goto_node", node: "a" }));
  },
  handoff_not_declared: () => started(version([PEER, step("b"), step("z")])).work(handoff("z")),
  handoff_limit: () => {
    const run = started(version([PEER, step("b")], { edges: [{ id: "back", source: "b", target: "a" }] }));
    run.work(handoff("b"));
    run.work(result());
    run.work(result());

    return run.work(handoff("b"));
  },
  subgraph_missing: () => started(version([using("sub", "c")])).work(result()),
  subgraph_depth: () => {
    const endless = version([using("sub", "c")]);
    const run = started(version([using("sub", "c")], {}, { subgraphs: [child("c", endless)] }));
    for (let depth = 0; depth < 32; depth += 1) run.work(result());

    return run.work(result());
  },
  nothing_to_undo: () => started(SMALL).propose(engine, { kind: "unwound" }),
  route_failed: "no proposal's fault: the node's error edge is taken or the run fails with it as the reason",
  route_missing: "as route_failed",
  fork_point: "lib/engine/forks/fork.test.ts",
  fork_change: "lib/engine/forks/fork-change.test.ts",
  fork_depth: "lib/engine/forks/fork.test.ts",
  token_run_limit: "server/outside/token-limits.db.test.ts",
  token_session_limit: "server/outside/token-limits.db.test.ts",
  token_cost_limit: "server/runner/token-limits.db.test.ts",
  token_without_key: "server/runner/agent-signature.db.test.ts",
  fork_widens: "lib/engine/forks/fork-live.test.ts",
  fork_limit: "server/runner/holes/forks.db.test.ts",
  simulation_mismatch: "lib/engine/forks/fork.test.ts",
  variable_missing: () => {
    const named = publishWith({ edges: [{ id: "go", source: "parse", target: "end", condition: "env.REGION == 'eu'" }] });

    return newRun(named).propose(user(STARTER, "builder"), startBody(named));
  },
  inputs_invalid: () => newRun(SMALL).propose(user(STARTER, "builder"), startBody(SMALL, {})),
  limits_exceeded: () => {
    const poor = publishWith({ max_token_budget: 1 });

    return newRun(poor).propose(user(STARTER, "builder"), { ...startBody(poor), limits: { max_token_budget: 2 } });
  },
  unknown_action: () => takes(atRest(DRIVEN), "nowhere"),
  invalid_transition: () => takes(atRest(DRIVEN), "last"),
  validation_failed: () => takes(atRest(DRIVEN), "first", { other: 1 }),
  approval_pending: () => {
    const run = atRest(DRIVEN);
    takes(run, "first");

    return takes(run, "first");
  },
  scope_missing: () => takes(atRest(DRIVEN), "first", null, agent({ scopes: [] })),
  idempotency_conflict: "the endpoint for outside agents: the key is looked up before anything is proposed",
  wait_closed: "lib/engine/wait.test.ts",
  wait_token_wrong: "lib/engine/wait.test.ts",
  wait_token_taken: "lib/engine/wait.test.ts",
  idle_limit: "no proposal's fault: the run is cancelled with it as the reason",
  verdict_unknown: "lib/engine/approvals/cases.test.ts",
  case_unknown: "lib/engine/approvals/cases.test.ts",
  opening_denied: "lib/engine/approvals/opening.test.ts",
  verification_failed: "no proposal's fault: the node fails with it",
  reason_missing: "lib/engine/approvals/changes.test.ts",
  changes_unsupported: "lib/engine/approvals/changes.test.ts",
  changes_limit: "lib/engine/approvals/changes.test.ts",
  changes_requested: "lib/engine/approvals/changes.test.ts",
  call_rejected: "lib/engine/approvals/rejected-calls.test.ts",
  call_repeated: "lib/engine/approvals/rejected-calls.test.ts",
  edit_unsupported: "lib/engine/approvals/edit.test.ts",
  edit_unchanged: "lib/engine/approvals/edit.test.ts",
  edit_limit: "lib/engine/approvals/edit.test.ts",
  own_edit: "lib/engine/approvals/edit.test.ts",
  comment_limit: "lib/engine/comment.test.ts",
  passkey_required: () => {
    const run = atGate(publishWith({ nodes: nodesWith("ask", { config: { prompt: "Write it?", for_node: "write", passkey: true } }) }));

    return run.propose(reviewer, decision(run, reviewer));
  },
  passkey_invalid: () => {
    const run = atGate();
    const assertion = { credential_id: "AA", authenticator_data: "AA", client_data_json: "AA", signature: "AA" };

    return run.propose(reviewer, { ...decision(run, reviewer), assertion });
  },
  passkey_exists: "lib/engine/ledger/passkey-ledger.test.ts",
  passkey_limit: "lib/engine/ledger/passkey-ledger.test.ts",
  passkey_not_allowed: "lib/engine/ledger/passkey-ledger.test.ts",
  policy_moved: "lib/approval-policy/decide.test.ts",
  policy_second_person: "lib/approval-policy/decide.test.ts",
  own_account: "lib/people/decide.test.ts",
  version_moved: "server/web/publishing.db.test.ts",
  graph_invalid: "server/web/publishing.db.test.ts",
  second_person_missing: "server/web/publishing.db.test.ts",
  command_forged: "server/runner/command-authenticity.db.test.ts",
  command_stale: "server/runner/command-authenticity.db.test.ts",
  code_invalid: "server/runner/accounts.db.test.ts",
  link_invalid: "server/runner/reply-link.db.test.ts",
  trigger_unavailable: "server/runner/triggers/webhook.db.test.ts",
  trigger_signature: "server/runner/triggers/webhook.db.test.ts",
  trigger_late: "server/runner/triggers/webhook.db.test.ts",
  trigger_too_large: "server/runner/triggers/webhook.db.test.ts",
  trigger_payload: "server/runner/triggers/webhook.db.test.ts",
  trigger_duplicate: "server/runner/triggers/webhook.db.test.ts",
  trigger_busy: "server/runner/triggers/turns.db.test.ts",
  trigger_chain: "server/runner/triggers/turns.db.test.ts",
  trigger_missed: "server/runner/triggers/schedule.db.test.ts",
  session_over: "server/runner/command-authenticity.db.test.ts",
  step_up_required: "server/runner/step-up.db.test.ts",
  projection_mismatch: "server/runner/authority.db.test.ts",
  authority_unverified: "server/runner/authority.db.test.ts",
  person_changed: "lib/people/decide.test.ts",
  person_known: "lib/people/decide.test.ts",
  invite_limit: "lib/people/decide.test.ts",
  identity_known: "lib/people/decide.test.ts",
  identity_elsewhere: "lib/people/decide.test.ts",
  identity_last: "lib/people/decide.test.ts",
  step_refused: "server/runner/admin-ledger.db.test.ts",
  malformed: () => atParse().work({ kind: "node_failure", code: "x".repeat(65) }),
};

describe("a refusal of", () => {
  test.each(Object.keys(REFUSALS) as RefusalCode[])("%s is the rule's answer", (code) => {
    const reached = REACHED[code];
    if (typeof reached === "string") return;
    expect(getCode(reached())).toBe(code);
  });
});
