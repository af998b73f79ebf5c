import { beforeAll, expect, it } from "vitest";
import type { Rule } from "@/lib/approval-rules/rule";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import {
  approve,
  ask,
  asking,
  atAgent,
  CREDIT,
  decideGate,
  FINANCE,
  FIRST_RULE,
  isOpen,
  propose,
  recover,
  rule,
  say,
  verifyChanged,
  verifyRecords,
} from "@/lib/engine/testing/rules";
import { AUTHOR, REVIEWER, SECOND, settle, uuid, type TestRun } from "@/lib/engine/testing/run";
import { createApproverRule } from "@/lib/engine/verify/verify-approvers";
import type { JsonObject } from "@/lib/json";

type Made = Extract<RunEvent, { type: "decision_made" }>;

let key: TestKey;
beforeAll(async () => {
  key = await newKey("k1");
});

const RULES = [rule({ groups: ["Finance"], count: 2 }, CREDIT)];
const TOTAL = [rule({ groups: ["Finance"], count: 2 }, { ...CREDIT, amount: { ...CREDIT.amount, total: true } })];

const approveAll = (run: TestRun): void => {
  approve(run, REVIEWER, FINANCE);
  if (isOpen(run)) approve(run, SECOND, FINANCE);
};
const called = (rules: readonly Rule[], ...calls: readonly JsonObject[]): TestRun => {
  const run = atAgent(rules);
  for (const [index, args] of calls.entries()) {
    ask(run, args, String(index));
    approveAll(run);
    expect(propose(run, args, String(index))).toBe("accepted");
    settle(run, {});
  }
  expect(Object.values(run.state().effects)).toHaveLength(1 + calls.length);

  return run;
};
const withGate = (change: object) => (event: RunEvent) =>
  event.type === "gate_opened" ? { ...event, gate: { ...event.gate, ...change } } : event;
const withRules = (rules: readonly Rule[]) => (event: RunEvent) => (event.type === "run_started" ? { ...event, rules: [...rules] } : event);

const openedRules = (run: TestRun) => Object.values(run.state().gates).map(({ gate }) => gate.rules ?? []);

it("accepts a run that obeyed its rules", async () => {
  const run = called(RULES, { credit: 5_000 });
  expect(await verifyChanged(run, key)).toBe("valid");
  expect(await verifyChanged(run, key, undefined, true)).toBe("valid");
});

it.each<[string, object]>([
  ["a lower quorum", { quorum: 1 }],
  ["others named", { demands: [{ groups: ["Support"], people: [], count: 2, rule: FIRST_RULE }] }],
  ["fewer of the named", { demands: [{ groups: ["Finance"], people: [], count: 1, rule: FIRST_RULE }] }],
  ["a rule that the run does not have", { rules: [uuid(91)] }],
  ["such a rule beside its own", { rules: [FIRST_RULE, uuid(91)] }],
])("rejects a gate with %s, before and after its call", async (_what, change) => {
  expect(await verifyChanged(asking(RULES, { credit: 5_000 }), key, withGate(change))).toBe("approvers");
  expect(await verifyChanged(called(RULES, { credit: 5_000 }), key, withGate(change))).toBe("approvers");
});

it("rejects a call whose gate left out a rule, unless its amount is hidden", async () => {
  const run = called([], { credit: 5_000 });
  expect(await verifyChanged(run, key, withRules(RULES))).toBe("approvers");
  expect(await verifyChanged(run, key, withRules(RULES), true)).toBe("valid");
  expect(await verifyChanged(run, key, withRules([rule({ groups: ["Finance"] })]), true)).toBe("approvers");
});

it("rejects a call that broke a rule of its run's environment, and of no other", async () => {
  const run = called([], { credit: 5_000 });
  const inStaging = (named: string) => (event: RunEvent) => {
    const ruled = withRules([rule({ groups: ["Finance"] }, { ...CREDIT, environment: named })])(event);

    return ruled.type === "run_started" ? { ...ruled, environment: "staging" } : ruled;
  };
  expect(await verifyChanged(run, key, inStaging("staging"))).toBe("approvers");
  expect(await verifyChanged(run, key, inStaging("production"))).toBe("valid");
});

it("rejects an approval by the publisher whom the rule excludes", async () => {
  const run = asking([rule({ count: 2 })]);
  approve(run, AUTHOR);
  approve(run, REVIEWER);
  const excluded = (event: RunEvent) => withRules([rule({ count: 2, not_publisher: true })])(withGate({ not_publisher: true })(event));
  expect(await verifyChanged(run, key)).toBe("valid");
  expect(await verifyChanged(run, key, excluded)).toBe("approvers");
  expect(await verifyChanged(decidedByTwo(), key, excluded)).toBe("valid");
});

const decidedByTwo = (): TestRun => {
  const run = asking([rule({ count: 2 })]);
  for (const by of [REVIEWER, SECOND]) expect(approve(run, by)).toBe("accepted");

  return run;
};

it.each<[string, Partial<Made>]>([
  ["the same person", { user: REVIEWER }],
  ["a rejection", { decision: "reject" }],
  ["a reason for the first to lapse", { lapsed: [REVIEWER] }],
  ["in another's place, though only anyone is asked", { for: [uuid(15)] }],
])("rejects two approvals of which the second is %s", async (_what, change) => {
  const forge = (record: LedgerRecord): LedgerRecord => {
    const isSecond = record.control.some((event) => event.type === "decision_made" && event.user === SECOND);
    if (!isSecond || record.principal.type !== "user") return record;
    const control = record.control.map((event) => (event.type === "decision_made" ? { ...event, ...change } : event));

    return { ...record, principal: { ...record.principal, id: change.user ?? record.principal.id }, control };
  };
  expect(await verifyRecords(decidedByTwo(), key)).toBe("valid");
  expect(await verifyRecords(decidedByTwo(), key, forge)).toBe("approvers");
});

it("judges a fork that may act, and none that simulates", () => {
  const forked = { type: "run_forked", run: uuid(50), graph_hash: "0".repeat(64), parent_run: uuid(51), parent_seq: 2 } as const;
  const judged = (effects: "live" | "simulate"): boolean => {
    const follows = createApproverRule();
    const records = called(RULES, { credit: 5_000 })
      .records()
      .map(({ record }) => ({ ...record, control: record.control.map(withGate({ quorum: 1 })) }));
    const [first, ...rest] = records;
    if (!first) throw new Error("no record");
    const control = [...first.control, { ...forked, change: { type: "none" } as const, effects }];

    return [{ ...first, control }, ...rest].every((record) => follows(record, () => undefined));
  };
  expect([judged("live"), judged("simulate")]).toEqual([false, true]);
});

it("rejects a call that broke a rule of its graph, and of no other", async () => {
  const run = called([], { credit: 5_000 });
  const of = (graph: string) => withRules([rule({ groups: ["Finance"] }, { ...CREDIT, graph })]);
  expect(await verifyChanged(run, key, of(run.state().start?.graph_id ?? ""))).toBe("approvers");
  expect(await verifyChanged(run, key, of("another"))).toBe("valid");
});

it("adds up a run's calls, and rejects one over the total that was not asked about", async () => {
  const calls = [{ credit: 600 }, { credit: 500 }];
  const run = called(TOTAL, ...calls);
  expect(openedRules(run)).toEqual([[], [FIRST_RULE]]);
  expect(await verifyChanged(run, key)).toBe("valid");
  const free = called([], ...calls);
  expect(await verifyChanged(free, key, withRules(TOTAL))).toBe("approvers");
  expect(await verifyChanged(free, key, withRules(TOTAL), true)).toBe("valid");
  expect(await verifyChanged(called([], { credit: 600 }, { credit: 300 }), key, withRules(TOTAL))).toBe("valid");
});

it("counts a call that waited before a later one was made, and no rejected one", async () => {
  const beside = atAgent([]);
  say(beside, ["1", { credit: 600 }], ["2", { credit: 500 }]);
  for (const [id, credit] of [
    ["1", 600],
    ["2", 500],
  ] as const)
    expect(propose(beside, { credit }, id)).toBe("accepted");
  expect(decideGate(beside, 1)).toBe("accepted");
  expect(propose(beside, { credit: 500 }, "2")).toBe("accepted");
  expect(await verifyChanged(beside, key, withRules(TOTAL))).toBe("approvers");

  const rejected = atAgent([]);
  ask(rejected, { credit: 600 });
  expect(decideGate(rejected, 0, "reject")).toBe("accepted");
  ask(rejected, { credit: 500 }, "2");
  expect(decideGate(rejected, 1)).toBe("accepted");
  expect(propose(rejected, { credit: 500 }, "2")).toBe("accepted");
  expect(await verifyChanged(rejected, key, withRules(TOTAL))).toBe("valid");
});

it("counts a call that was made again after a crash", async () => {
  const run = atAgent([]);
  ask(run, { credit: 600 });
  approveAll(run);
  propose(run, { credit: 600 });
  expect(recover(run)).toBe("accepted");
  approveAll(run);
  settle(run, {});
  expect(await verifyChanged(run, key, withRules(TOTAL))).toBe("valid");
  ask(run, { credit: 500 }, "2");
  approveAll(run);
  expect(propose(run, { credit: 500 }, "2")).toBe("accepted");
  expect(await verifyChanged(run, key, withRules(TOTAL))).toBe("approvers");
});
