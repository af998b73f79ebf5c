import { describe, expect, it, test } from "vitest";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { edgesWith, nodesWith, publishedWith } from "@/lib/engine/testing/graph";
import type { GraphInput } from "@/lib/graph/document";
import {
  atGate,
  atParse,
  atTriage,
  AUTHOR,
  call,
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
  settle,
  startBody,
  started,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
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

describe("writes", () => {
  it("are all refused when one of them is", () => {
    const run = atParse();
    run.work(result(update("note", "kept out"), update("request", { plan: 7 })));
    expect(run.state().cells.map((cell) => cell.path)).toEqual(["topic", "mail"]);
  });

  it("cannot land beside their path: an index beyond the end, a member of a text, a member of a list", () => {
    const run = atParse(publishedWith({ nodes: nodesWith("parse", { write_keys: ["note"] }) }));
    run.work({ kind: "action", action: update("note", [1, 2]) });
    expect(codeOf(run.work({ kind: "action", action: update("note.5", 6) }))).toBe("value_invalid");
    expect(codeOf(run.work({ kind: "action", action: update("note.name", 6) }))).toBe("value_invalid");
    expect(codeOf(run.work({ kind: "action", action: update("note.2", 3) }))).toBe("accepted");
    run.work({ kind: "action", action: update("note", "text") });
    expect(codeOf(run.work({ kind: "action", action: update("note.name", 6) }))).toBe("value_invalid");
  });

  it.each(["__proto__", "note.__proto__", "note.constructor", "_status", "$goal", "note..a", ""])("to %j are refused", (path) => {
    expect(atParse().work(result(update(path, 1))).ok).toBe(false);
  });

  it("of a node that always needs a person wait for one, in passing too", () => {
    const run = atParse(publishedWith({ nodes: nodesWith("parse", { approval: "always" }) }));
    expect(codeOf(run.work({ kind: "action", action: update("note", "x") }))).toBe("key_protected");
    run.work(result(update("note", "x")));
    expect(run.state().status).toBe("waiting");
    expect(run.state().cells.some((cell) => cell.path === "note")).toBe(false);
  });

  it("to a protected key happen after approval, with exactly the values that waited", () => {
    const run = atParse();
    run.work(result(update("is_admin", true), update("note", { why: "asked" })));
    expect(openGate(run).gate.reason).toBe("protected_key");
    expect(run.state().cells.some((cell) => cell.path === "is_admin" || cell.path === "note")).toBe(false);
    decideAs(run, reviewer);
    const cells = run.state().cells.filter((cell) => cell.path === "is_admin" || cell.path === "note");
    expect(cells.map((cell) => cell.content)).toEqual([
      { known: true, value: true },
      { known: true, value: { why: "asked" } },
    ]);
    expect(cells[0]?.label.provenance).toContain(`approver:${REVIEWER}`);
    expect(cells[0]?.label.integrity).toBe("untrusted");
    expect(run.state().currentNode).toBe("triage");
  });

  it("to a protected key never happen after a rejection, and not at the start", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    decideAs(run, reviewer, "reject");
    expect(run.state().status).toBe("failed");
    expect(run.state().cells.some((cell) => cell.path === "is_admin")).toBe(false);
    expect(codeOf(newRun(SMALL).propose(user(STARTER, "builder"), startBody(SMALL, { topic: "x", is_admin: true })))).toBe("key_protected");
  });

  it("are counted and named in a question of bounded length", () => {
    const grants = Array.from({ length: 100 }, (_none, index) => `note.${"x".repeat(60)}${index}`);
    const run = atParse(
      publishedWith({
        nodes: nodesWith("parse", { write_keys: grants, approval: "always" }),
        memory: [
          { key: "note", schema: {} },
          { key: "topic", schema: {} },
          { key: "mail", schema: {} },
        ],
      }),
    );
    run.work(result({ type: "update_memory", updates: grants.map((path) => ({ path, value: 1 })) }));
    expect(openGate(run).gate.prompt.length).toBeLessThanOrEqual(2_000);
  });
});

describe("an executor", () => {
  it("cannot pass an approval node without the question", () => {
    const run = atTriage();
    run.work(result());
    expect(run.state().currentNode).toBe("ask");
    expect(codeOf(run.work(result()))).toBe("action_not_granted");
    expect(codeOf(run.work(result(update("result", 1))))).toBe("action_not_granted");
    expect(run.state().currentNode).toBe("ask");
  });

  it("cannot say what a tool answered before it did", () => {
    const run = started(SMALL);
    expect(codeOf(run.work(result(update("mail", { text: "made up" }))))).toBe("effect_unknown");
    run.work(intent("docs", "read", { topic: "plans" }));
    expect(codeOf(run.work(result(update("mail", { text: "made up" }))))).toBe("effect_unknown");
  });

  it("cannot call a tool node's tool with other arguments than the graph maps", () => {
    expect(codeOf(started(SMALL).work(intent("docs", "read", { topic: "other" })))).toBe("arguments_invalid");
  });

  it("cannot settle another node's effect", () => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    const [effect] = Object.keys(run.state().effects);
    expect(codeOf(run.propose(executor("parse"), { kind: "effect_outcome", effect_id: effect ?? "", outcome: "ok", result: 1 }))).toBe(
      "principal_not_allowed",
    );
  });

  it("whose lease is over changes nothing, and neither does one whose run has ended", () => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    expect(codeOf(settle(run, { text: "late" }))).toBe("late_result");
    expect(run.state().status).toBe("cancelled");
  });
});

describe("an outcome", () => {
  it.each([
    ["is no JSON", Number.NaN, "not_plain_json"],
    ["has half a character", "\ud800", "not_plain_json"],
    ["is nested without end", Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 1), "value_too_deep"],
  ])("that %s is recorded without it, and counts", (_what, value, fault) => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    // A server sends what it likes.
    expect(codeOf(settle(run, value as never))).toBe("accepted");
    expect(Object.values(run.state().effects)[0]?.outcome).toBe("ok");
    expect(run.state().aside.at(-1)?.content).toEqual({ known: true, value: { unrepresentable: fault } });
  });

  it("is recorded once", () => {
    const run = started(SMALL);
    call(run, "docs", "read", { topic: "plans" }, { text: "one" });
    expect(codeOf(settle(run, { text: "two" }))).toBe("effect_unknown");
  });
});

describe("an error", () => {
  const fail = (code: string, retryable = false, change: object = {}) => ({
    kind: "node_failure" as const,
    code,
    retryable,
    detail: "cut \ud83d",
    jitter: 0.5,
    retry_after_ms: null,
    ...change,
  });

  it("takes the error edge, a timeout the timeout edge, and none of both ends the run", () => {
    const failed = started(SMALL);
    failed.work(fail("tool_error"));
    expect(failed.state().currentNode).toBe("rescue");
    const late = started(SMALL);
    late.work(fail("node_timeout"));
    expect(late.state().currentNode).toBe("decline");
    const ended = atParse();
    ended.work(fail("model_failed"));
    expect(ended.state()).toMatchObject({ status: "failed", currentNode: null });
  });

  it("is tried again as often as the policy says, and not sooner", () => {
    const run = started(SMALL);
    run.work(fail("tool_error", true));
    expect(run.state()).toMatchObject({ status: "retrying", currentNode: "fetch", retryAt: run.now() + 100 });
    run.work(fail("tool_error", true, { retry_after_ms: 5_000 }));
    expect(run.state().retryAt).toBe(run.now() + 5_000);
    run.work(fail("tool_error", true));
    expect(run.state().currentNode).toBe("rescue");
  });

  it.each([
    ["fixed", [1_000, 1_000]],
    ["linear", [1_000, 2_000]],
    ["exponential", [500, 1_000]],
  ] as const)("waits as %s backoff says", (backoff, waits) => {
    const run = started(publishedWith({ nodes: nodesWith("fetch", { failure_policy: { attempts: 3, backoff, backoff_ms: 1_000 } }) }));
    for (const wait of waits) {
      run.work(fail("tool_error", true));
      expect(run.state().retryAt).toBe(run.now() + wait);
    }
  });

  it("never waits longer than the run may take, whatever a server asks for", () => {
    const run = started(SMALL);
    run.work(fail("tool_error", true, { retry_after_ms: Number.MAX_SAFE_INTEGER }));
    expect(run.state().retryAt).toBe(run.now() + 3_600_000);
  });

  it("in a condition is not false: the error edge is taken, never the default edge", () => {
    const edges = [
      ...(edgesWith("free", { condition: "memory.request.missing > 1" }) ?? []),
      { id: "broken", source: "triage", target: "rescue", kind: "error" as const },
    ];
    const run = atTriage(publishedWith({ edges }));
    run.work(result());
    expect(run.state().currentNode).toBe("rescue");
    const without = atTriage(publishedWith({ edges: edgesWith("free", { condition: "memory.request.missing > 1" }) }));
    without.work(result());
    expect(without.state()).toMatchObject({ status: "failed" });
  });
});

describe("limits", () => {
  const toEnd = (run: TestRun) => {
    run.work(result(update("result", "declined")));

    return run.state().status;
  };

  it("of N iterations let exactly N through", () => {
    // fetch, parse, triage, decline.
    const enough = atTriage(publishedWith({ max_iterations: 4 }), "free");
    enough.work(result());
    expect(toEnd(enough)).toBe("completed");
    const short = atTriage(publishedWith({ max_iterations: 3 }), "free");
    short.work(result());
    expect(toEnd(short)).toBe("running");
    expect(codeOf(short.propose(engine, { kind: "stop", limit: "iteration_limit" }))).toBe("accepted");
    expect(short.state().status).toBe("failed");
  });

  it("are not the engine's to invoke before they are reached", () => {
    expect(codeOf(atParse().propose(engine, { kind: "stop", limit: "time_limit" }))).toBe("version_conflict");
  });

  it("of time do not count waiting for people", () => {
    const run = atGate(publishedWith({ max_execution_time_ms: 10_000 }));
    run.pass(3_600_000);
    expect(codeOf(decideAs(run, reviewer))).toBe("accepted");
    expect(codeOf(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
    run.pass(10_000);
    settle(run, "ok");
    expect(codeOf(run.work(result(update("result", "ok"))))).toBe("time_limit");
  });

  it("of a budget count every call, and zero is zero", () => {
    const run = atParse(publishedWith({ max_token_budget: 100, budget_usd: 0.001 }));
    const usage = { model: "m", input_tokens: 60, output_tokens: 30, cost_micro_usd: 900, price_source: "test" };
    run.work({ kind: "model_call", step: 0, fresh: [], text: "", tool_calls: [], usage });
    expect(run.state()).toMatchObject({ totalTokens: 90, costMicroUsd: 900 });
    expect(codeOf(run.work({ kind: "model_intent", tokens: 11, cost_micro_usd: 0 }))).toBe("token_budget");
    expect(codeOf(run.work({ kind: "model_intent", tokens: 10, cost_micro_usd: 101 }))).toBe("cost_budget");
    expect(codeOf(run.work({ kind: "model_intent", tokens: 10, cost_micro_usd: 100 }))).toBe("accepted");
  });
});
