import { describe, expect, it } from "vitest";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  getCode,
  decision,
  engine,
  executor,
  intent,
  newRun,
  result,
  REVIEWER,
  STARTER,
  update,
  user,
  uuid,
} from "@/lib/engine/testing/run";
import type { ProposalBody } from "@/lib/engine/proposal";

const SMALL = publishWith();
const reviewer = user(REVIEWER);

describe("refusals", () => {
  it("change no cell and no event, but are recorded", () => {
    const run = atParse();
    const before = run.state();
    expect(getCode(run.work(result(update("request", { plan: "team" }), update("salary", 1))))).toBe("write_not_granted");
    const { version, head, refusals, attempts, tried, proposals, aside, ...after } = run.state();
    expect({ version, refusals, attempts, tried, aside }).toEqual({
      version: before.version + 1,
      refusals: before.refusals + 1,
      attempts: before.attempts + 1,
      tried: { "write_not_granted salary": 1 },
      aside: before.aside,
    });
    expect(after).toEqual(
      (({ version: _v, head: _h, refusals: _r, attempts: _t, tried: _d, proposals: _p, aside: _a, ...rest }) => rest)(before),
    );
    expect(head).not.toBe(before.head);
    expect(Object.keys(proposals)).toHaveLength(Object.keys(before.proposals).length + 1);
  });

  it("name declared ids and nothing from the proposal", () => {
    const run = atParse();
    run.work(result(update("CANARY", "CANARY"), { type: "update_memory", updates: [{ path: "request.CANARY", value: "CANARY" }] }));
    run.work(intent("CANARY", "CANARY", { CANARY: "CANARY" }));
    run.work({ kind: "action", action: { type: "CANARY" } });
    expect(JSON.stringify(run.records().slice(-3))).not.toContain("CANARY");
  });

  it("can be read back however long the graph's names are", () => {
    const path = (index: number) => ["note", ...Array.from({ length: 14 }, () => "x".repeat(64)), `n${index}`].join(".");
    const grants = Array.from({ length: 200 }, (_none, index) => path(index));
    const run = atParse(publishWith({ nodes: nodesWith("parse", { write_keys: grants }) }));
    expect(getCode(run.work(result(update("salary", 1))))).toBe("write_not_granted");
  });
});

describe("a proposal", () => {
  it("is decided once when delivered twice under one id", () => {
    const run = atParse();
    const body: ProposalBody = { kind: "action", activation: run.state().activation ?? 0, action: update("note", "x") };
    expect(getCode(run.propose(executor("parse"), body, { id: uuid(500) }))).toBe("accepted");
    expect(getCode(run.propose(executor("parse"), body, { id: uuid(500) }))).toBe("duplicate_decision");
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
      expect(getCode(run.propose(principal, body))).toBe("malformed");
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
    // Hostile clients ignore types.
    expect(getCode(run.propose(user(REVIEWER, "admin"), full as unknown as ProposalBody))).toBe("malformed");
    expect(run.state().status).toBe("waiting");
  });

  it("by a person is refused for every kind of executor and engine", () => {
    const run = atParse();
    const bodies: ProposalBody[] = [
      { kind: "begin" },
      { kind: "stop", limit: "time_limit" },
      { kind: "node_result", activation: 5, actions: [] },
    ];
    for (const body of bodies) {
      expect(getCode(run.propose(user(STARTER, "admin"), body))).toBe("principal_not_allowed");
    }
  });

  it("for another workspace, another run or a run that never started gets the same answer", () => {
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
