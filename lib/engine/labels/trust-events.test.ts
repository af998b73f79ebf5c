import { describe, expect, test } from "vitest";
import { createSourceLabel } from "@/lib/graph/label";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { TrustEvent, TrustType } from "@/lib/engine/labels/trust-event";
import type { TrustContext } from "@/lib/engine/events/event-entry";
import { formatPrincipal, listTrustEvents } from "@/lib/engine/labels/trust-events";
import { refuse, type RefusalCode } from "@/lib/refusal";
import { recordsOf } from "@/lib/engine/testing/entries";
import { publishWith, nodesWith } from "@/lib/engine/testing/graph";
import { atGate, atParse, decideAs, executor, result, REVIEWER, STARTER, update, user, uuid } from "@/lib/engine/testing/run";

const NOTHING: TrustContext = { cases: {}, gates: {} };
const [TOKEN, SESSION, CASE, GATE] = [uuid(40), uuid(41), uuid(42), uuid(43)];
const TOKEN_PRINCIPAL: Principal = { type: "agent", token: TOKEN, session: SESSION, owner: STARTER, integrity: "untrusted", scopes: [] };

const recordWith = (change: Partial<LedgerRecord>): LedgerRecord => {
  const [first] = recordsOf(atParse());
  if (!first) throw new Error("a run begins with a record");

  return { ...first, writes: [], control: [], refusal: null, ...change };
};
const told = (change: Partial<LedgerRecord>, context = NOTHING): TrustEvent[] => listTrustEvents(recordWith(change), context);
const by = (event: RunEvent, context = NOTHING) => told({ control: [event], principal: executor("judge"), node: "judge" }, context);
const refused = (code: RefusalCode, change: Partial<LedgerRecord> = {}) =>
  told({ kind: "refusal", refusal: refuse(code, ["salary"]), principal: executor("parse"), node: "parse", ...change });

type Given = Extract<RunEvent, { type: "verdict_given" }>;
const verdict = (who: string, given: Given["verdict"], reviewer = 0): Given => ({
  type: "verdict_given",
  case_id: CASE,
  reviewer,
  by: who,
  model: null,
  verdict: given,
  findings: [],
});

const caseWith = (...verdicts: readonly Given[]): TrustContext => ({
  gates: {},
  cases: {
    [CASE]: {
      seq: 0,
      key: "review",
      status: "passed",
      verdicts,
      case: {
        id: CASE,
        node: "review",
        activation: 1,
        subject: { type: "cell", path: "extract", cells: [] },
        reviewers: [],
        quorum: 1,
        producers: [],
        opened_at: 0,
        expires_at: 1,
      },
    },
  },
});

describe("label events", () => {
  test("include an untrusted write with path and sources", () => {
    const run = atParse();
    const events = run.records().flatMap(({ record }) => listTrustEvents(record, run.state()));
    const mail = events.filter(({ type, path }) => type === "taint_assigned" && path === "mail");
    expect(mail).toHaveLength(1);
    expect(mail[0]).toMatchObject({ node: "fetch", principal: "node:fetch" });
    expect(mail[0]?.detail["provenance"]).toContain("mcp:docs/read");
  });

  test("exclude trusted writes, and mark reviewed ones", () => {
    const writes = (["trusted", "reviewed"] as const).map((integrity) => ({
      path: integrity,
      commitment: recordWith({}).parent,
      label: createSourceLabel(integrity, "internal", "approver:x"),
    }));
    expect(told({ writes }).map(({ type, path }) => [type, path])).toEqual([["reviewed_assigned", "reviewed"]]);
  });

  test("name a few sources and their total", () => {
    const provenance = Array.from({ length: 500 }, (_, n) => `mcp:docs/${String(n).padStart(3, "0")}`);
    const label = { ...createSourceLabel("untrusted", "internal", ""), provenance };
    const [event] = told({ writes: [{ path: "mail", commitment: recordWith({}).parent, label }] });
    expect(event?.detail).toMatchObject({ sources: 500, provenance: provenance.slice(0, 20) });
  });
});

describe("denials", () => {
  test.each<[RefusalCode, Partial<LedgerRecord>, TrustType]>([
    ["write_not_granted", {}, "access_denied"],
    ["read_not_granted", {}, "access_denied"],
    ["tool_not_granted", {}, "access_denied"],
    ["not_found", {}, "access_denied"],
    ["opening_denied", { proposal_kind: "open_cell" }, "opening_denied"],
    ["not_found", { proposal_kind: "open_cell" }, "opening_denied"],
    ["invalid_transition", { proposal_kind: "step", principal: TOKEN_PRINCIPAL }, "token_refused"],
    ["not_found", { proposal_kind: "step", principal: TOKEN_PRINCIPAL }, "token_refused"],
    ["version_conflict", {}, "refused"],
  ])("%s %j is one event: %s", (code, change, type) => {
    const events = refused(code, change);
    expect(events.map((event) => event.type)).toEqual([type]);
    expect(events[0]).toMatchObject({ node: "parse", path: null, detail: { code, ids: ["salary"] } });
  });
});

describe("decisions and verdicts", () => {
  test("name the decider and the subject", () => {
    const run = atGate();
    decideAs(run, user(REVIEWER), "reject");
    const events = listTrustEvents(recordsOf(run).at(-1) ?? recordWith({}), run.state());
    expect(events.filter(({ type }) => type === "decision")).toMatchObject([
      { principal: `user:${REVIEWER}`, node: "ask", detail: { decision: "reject" } },
    ]);
  });

  test("name the people behind an approved promotion, as declassification", () => {
    const promote = [{ from: "request.plan", to: "verdict" }];
    const published = publishWith({
      memory: publishWith().graph.memory.map((key) => (key.key === "verdict" ? { ...key, min_integrity: "reviewed" } : key)),
      nodes: nodesWith("ask", {
        write_keys: ["verdict"],
        config: { prompt: "Take it?", review_keys: ["request"], for_node: "write", rejection_node: "decline", promote },
      }),
    });
    const run = atGate(published);
    expect(decideAs(run, user(REVIEWER)).ok).toBe(true);
    const events = listTrustEvents(recordsOf(run).at(-1) ?? recordWith({}), run.state());
    const people = [`user:${REVIEWER}`];
    const about = { path: "verdict", principal: `user:${REVIEWER}` };
    expect(events.filter(({ type }) => type === "promotion")).toMatchObject([{ ...about, detail: { from: "request.plan", people } }]);
    expect(events.filter(({ type }) => type === "declassification")).toMatchObject([{ ...about, detail: { people } }]);
  });

  test.each([
    ["models alone", [verdict("agent:a", "approve"), verdict("agent:b", "approve", 1)], []],
    [
      "a person who approved, once",
      [verdict(`user:${REVIEWER}`, "approve"), verdict(`user:${REVIEWER}`, "approve", 1)],
      [`user:${REVIEWER}`],
    ],
    ["a person who abstained", [verdict("agent:a", "approve"), verdict(`user:${REVIEWER}`, "abstain", 1)], []],
  ])("include a promotion on a case with %s", (_name, verdicts, people) => {
    const event = { type: "promoted", approval_id: null, case_id: CASE, from: "extract", to: "checked" } as const;
    expect(by(event, caseWith(...verdicts))).toMatchObject([{ type: "promotion", path: "checked", detail: { from: "extract", people } }]);
  });

  test("attribute a verdict to its reviewer, not its messenger", () => {
    expect(by(verdict("agent:critic", "reject"))).toMatchObject([
      { type: "verdict", principal: "agent:critic", detail: { verdict: "reject" } },
    ]);
  });

  test("include a case's path, end and judgement", () => {
    const opened = by({ type: "case_opened", case: caseWith().cases[CASE]?.case ?? ({} as never) });
    expect(opened).toMatchObject([{ type: "case_opened", node: "review", path: "extract", detail: { case: CASE, quorum: 1 } }]);
    expect(by({ type: "case_closed", case_id: CASE, outcome: "expired" })).toMatchObject([
      { type: "case_closed", detail: { outcome: "expired" } },
    ]);
    const rules = [
      { field: "amount", passed: false },
      { field: "date", passed: true },
    ];
    expect(
      by({ type: "judged", node: "judge", activation: 3, case_id: CASE, outcome: "rejected", rules, reason: "rule_failed" }),
    ).toMatchObject([{ type: "judged", node: "judge", detail: { outcome: "rejected", reason: "rule_failed", failed: ["amount"] } }]);
  });
});

describe("other events", () => {
  test("include an opening with person, reason and cell", () => {
    const opened = {
      type: "cell_opened",
      path: "mail",
      seq: 4,
      index: 1,
      by: `user:${REVIEWER}`,
      purpose: "audit",
      case_id: null,
    } as const;
    expect(by(opened)).toMatchObject([
      { type: "opening", path: "mail", principal: `user:${REVIEWER}`, detail: { of: 4, cell: 1, purpose: "audit" } },
    ]);
  });

  test("include a shredding with run and number of cells", () => {
    const cells = [
      { seq: 1, index: 0 },
      { seq: 2, index: 0 },
    ];
    expect(by({ type: "cells_shredded", run: uuid(2), reason: "leaked", cells })).toMatchObject([
      { type: "shred", detail: { run: uuid(2), reason: "leaked", cells: 2 } },
    ]);
  });

  test("attribute a token's actions to it", () => {
    const chosen = { type: "action_chosen", action: "refund", inputs: ["amount"], token: TOKEN, session: SESSION } as const;
    expect(by({ ...chosen, inputs: ["amount"] })).toMatchObject([{ type: "token_step", node: "refund", principal: `token:${TOKEN}` }]);
    expect(formatPrincipal(TOKEN_PRINCIPAL)).toBe(`token:${TOKEN}`);
  });

  test("a rejected gate raises nothing", () => {
    expect(by({ type: "gate_resolved", approval_id: GATE, outcome: "rejected", receipt: null })).toEqual([]);
  });
});

test("events never contain values", () => {
  const run = atParse();
  run.work(result(update("request", { plan: "canary-4711" }), update("salary", "canary-4711"), update("canary-4711", 1)));
  run.work(result(update("request", { plan: "canary-4711" })));
  const texts = run.records().flatMap(({ record }) => listTrustEvents(record, run.state()).map((event) => JSON.stringify(event)));
  expect(texts.some((text) => text.includes("access_denied"))).toBe(true);
  expect(texts.filter((text) => text.includes("canary-4711"))).toEqual([]);
});
