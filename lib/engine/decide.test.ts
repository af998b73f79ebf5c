import { describe, expect, it, test } from "vitest";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { nodesWith, publishedWith } from "@/lib/engine/testing/graph";
import type { GraphInput } from "@/lib/graph/document";
import {
  atGate,
  atParse,
  AUTHOR,
  codeOf,
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
import type { Verdict } from "@/lib/engine/decide/verdict";
import type { ProposalBody } from "@/lib/engine/proposal";

const SMALL = publishedWith();
const reviewer = user(REVIEWER);
const dueGate = (change: Record<string, unknown> = {}) =>
  publishedWith({ nodes: nodesWith("ask", { config: { prompt: "Write it?", review_keys: ["request"], for_node: "write", ...change } }) });
const limited = (limits: Partial<GraphInput>) => started(publishedWith(limits));

/** How each code is reached; what decides otherwise than `decide` is named with its place. */
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
  iteration_limit: () => atParse(publishedWith({ max_iterations: 1 })).work(result(update("note", "x"))),
  token_budget: () => limited({ max_token_budget: 0 }).work({ kind: "model_intent", tokens: 1, cost_micro_usd: 0 }),
  cost_budget: () => limited({ budget_usd: 0 }).work({ kind: "model_intent", tokens: 1, cost_micro_usd: 1 }),
  node_not_active: () => atParse().propose(executor("write"), { kind: "node_result", activation: 5, actions: [] }),
  principal_not_allowed: () => started(SMALL).propose(executor("fetch"), { kind: "cancel" }),
  action_unknown: () => atParse().work(result({ type: "_promote", key: "mail" })),
  action_not_granted: () => atParse().work(result({ type: "goto_node", node: "write" })),
  key_undeclared: () => atParse().work(result(update("nowhere", 1))),
  write_not_granted: () => atParse().work(result(update("salary", 1))),
  read_not_granted: "nobody proposes a read: a view is made of the grants",
  value_not_json: () => atParse().work(result(update("note", Number.NaN))),
  value_too_large: () => atParse().work(result(update("note", "x".repeat(300)))),
  value_too_deep: () => atParse().work(result(update("note", [[[[[1]]]]]))),
  value_invalid: () => atParse().work(result(update("request", { plan: 1 }))),
  integrity_too_low: () => atParse().work(result(update("verdict", "guilty"))),
  key_protected: () => atParse().work({ kind: "action", action: update("is_admin", true) }),
  tool_not_granted: () => atParse().work(intent("crm", "erase", {})),
  tool_unavailable: () => started(SMALL).work({ ...intent("docs", "read", { topic: "plans" }), availability: "unavailable" }),
  tool_drifted: () => started(SMALL).work({ ...intent("docs", "read", { topic: "plans" }), availability: "drifted" }),
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
  role_missing: () => decideAs(atGate(), user(REVIEWER, "admin")),
  own_run: () => decideAs(atGate(), user(STARTER)),
  own_version: () => decideAs(atGate(), user(AUTHOR)),
  route_failed: "no proposal's fault: the node's error edge is taken or the run fails with it as the reason",
  route_missing: "as route_failed",
  inputs_invalid: () => newRun(SMALL).propose(user(STARTER, "builder"), startBody(SMALL, {})),
  malformed: () => atParse().work({ kind: "node_failure", code: "x".repeat(65) }),
};

describe("refusals", () => {
  test.each(Object.keys(REFUSALS) as RefusalCode[])("%s is what the rule answers", (code) => {
    const reached = REACHED[code];
    if (typeof reached === "string") return;
    expect(codeOf(reached())).toBe(code);
  });

  it("change no cell and no event, and are records all the same", () => {
    const run = atParse();
    const before = run.state();
    expect(codeOf(run.work(result(update("request", { plan: "team" }), update("salary", 1))))).toBe("write_not_granted");
    const { version, head, refusals, proposals, aside, ...after } = run.state();
    expect({ version, refusals, aside }).toEqual({ version: before.version + 1, refusals: before.refusals + 1, aside: before.aside });
    expect(after).toEqual((({ version: _v, head: _h, refusals: _r, proposals: _p, aside: _a, ...rest }) => rest)(before));
    expect(head).not.toBe(before.head);
    expect(Object.keys(proposals)).toHaveLength(Object.keys(before.proposals).length + 1);
  });

  it("name declared ids and nothing that was proposed", () => {
    const run = atParse();
    run.work(result(update("CANARY", "CANARY"), { type: "update_memory", updates: [{ path: "request.CANARY", value: "CANARY" }] }));
    run.work(intent("CANARY", "CANARY", { CANARY: "CANARY" }));
    run.work({ kind: "action", action: { type: "CANARY" } });
    expect(JSON.stringify(run.records().slice(-3))).not.toContain("CANARY");
  });

  it("can be read back however long the graph's own names are", () => {
    const path = (index: number) => ["note", ...Array.from({ length: 14 }, () => "x".repeat(64)), `n${index}`].join(".");
    const grants = Array.from({ length: 200 }, (_none, index) => path(index));
    const run = atParse(publishedWith({ nodes: nodesWith("parse", { write_keys: grants }) }));
    expect(codeOf(run.work(result(update("salary", 1))))).toBe("write_not_granted");
  });
});

describe("a proposal", () => {
  it("delivered again under the same id is not decided again", () => {
    const run = atParse();
    const body: ProposalBody = { kind: "action", activation: run.state().activation ?? 0, action: update("note", "x") };
    expect(codeOf(run.propose(executor("parse"), body, { id: uuid(500) }))).toBe("accepted");
    expect(codeOf(run.propose(executor("parse"), body, { id: uuid(500) }))).toBe("duplicate_decision");
  });

  it.each(["constructor", "__proto__", "toString"])("cannot name %s as an effect or an approval", (id) => {
    const run = atGate();
    for (const body of [
      { ...decision(run, reviewer), approval_id: id },
      { kind: "expire", approval_id: id },
      { kind: "effect_outcome", effect_id: id, outcome: "ok", result: 1 },
      { kind: "recover", effect_id: id },
    ] as const) {
      const principal = body.kind === "decision" ? reviewer : body.kind === "effect_outcome" ? executor("ask") : engine;
      expect(codeOf(run.propose(principal, body))).toBe("malformed");
    }
  });

  it.each([
    ["an unknown kind", { kind: "promote" }],
    ["a kind of the prototype", { kind: "constructor" }],
    ["a decision that is neither", { kind: "decision", decision: "denied" }],
    ["a principal of its own", { kind: "cancel", principal: user(REVIEWER, "admin") }],
    ["a reason that is no text", { kind: "cancel", reason: "\ud800" }],
  ])("with %s is refused", (_what, body) => {
    const run = atGate();
    const full = body.kind === "decision" ? { ...decision(run, reviewer), ...body } : body;
    // What no type allows is exactly what a hostile client sends.
    expect(codeOf(run.propose(user(REVIEWER, "admin"), full as unknown as ProposalBody))).toBe("malformed");
    expect(run.state().status).toBe("waiting");
  });

  it("of a person is never one of an executor or of the engine, whatever its kind", () => {
    const run = atParse();
    const bodies: ProposalBody[] = [
      { kind: "begin" },
      { kind: "stop", limit: "time_limit" },
      { kind: "node_result", activation: 5, actions: [] },
    ];
    for (const body of bodies) {
      expect(codeOf(run.propose(user(STARTER, "admin"), body))).toBe("principal_not_allowed");
    }
  });

  it("for another workspace, another run or a run that never started is answered alike", () => {
    const cancel = { kind: "cancel" } as const;
    const admin = user(REVIEWER, "admin");
    const answers = [
      atParse().propose(admin, cancel, { workspace: uuid(99) }),
      atParse().propose(admin, cancel, { run: uuid(99) }),
      newRun(SMALL).propose(admin, cancel),
    ];
    expect(answers.map((answer) => (answer.ok ? null : answer.refusal))).toEqual(
      answers.map(() => ({ code: "not_found", ids: [], legal: [] })),
    );
  });
});
