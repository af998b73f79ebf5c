import { beforeAll, describe, expect, it } from "vitest";
import type { Needs, Rule, When } from "@/lib/approval-rules/rule";
import { decide } from "@/lib/engine/decide";
import type { RunEvent } from "@/lib/engine/event";
import { forkOf } from "@/lib/engine/testing/fork";
import { editAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import {
  AUTHOR,
  call,
  decision,
  engine,
  getCode,
  intent,
  newRun,
  openGate,
  result,
  REVIEWER,
  SECOND,
  startBody,
  STARTER,
  update,
  user,
  uuid,
  type TestRun,
} from "@/lib/engine/testing/run";
import { answer, reserve } from "@/lib/engine/testing/work";
import { verifyLedger } from "@/lib/engine/verify/verify";
import type { Seat } from "@/lib/people/approvers";
import type { PublishedGraph } from "@/lib/graph/document";
import type { JsonObject } from "@/lib/json";

const [THIRD, FIRST_RULE, OTHER_RULE] = [uuid(14), uuid(90), uuid(91)];
const FINANCE: Seat = { for: [], groups: ["Finance"] };
const LEGAL: Seat = { for: [], groups: ["Legal"] };
const NO_GROUP: Seat = { for: [], groups: [] };

const rule = (needs: Partial<Needs>, when: Partial<When> = {}, id = FIRST_RULE): Rule => ({
  id,
  when: { effect: "write", ...when },
  needs: { groups: [], people: [], count: 1, ...needs },
});
const CREDIT: Partial<When> = { server: "crm", tool: "update", amount: { argument: "credit", from: 1_000 } };

/** At the agent that may call crm.update. */
const atAgent = (rules: readonly Rule[], published: PublishedGraph = publishWith(), rulesOf: typeof decide = decide): TestRun => {
  const run = newRun(published, rulesOf);
  run.propose(user(STARTER, "builder"), { ...startBody(published), rules });
  run.propose(engine, { kind: "begin" });
  call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
  run.work(result(update("mail", { text: "hello" })));

  return run;
};
const ask = (run: TestRun, args: JsonObject) => {
  const input: JsonObject = { plan: "team", ...args };
  answer(run, reserve(run), "", { text: "", tool_calls: [{ id: "1", name: "crm__update", input }] });

  return run.work(intent("crm", "update", input, "0//1"));
};
const asking = (rules: readonly Rule[], args: JsonObject = {}): TestRun => {
  const run = atAgent(rules);
  ask(run, args);

  return run;
};
/** At an approval node for a tool node. */
const atNode = (rules: readonly Rule[], config: Record<string, unknown> = {}, more: Record<string, unknown> = {}): TestRun => {
  const nodes = nodesWith("ask", { config: { prompt: "Write it?", for_node: "write", ...config }, ...more });
  const run = atAgent(rules, publishWith({ nodes }));
  run.work(result(update("request", { plan: "team" })));
  run.work(result());
  run.work(result({ type: "request_human_input", prompt: "" }));

  return run;
};
const approve = (run: TestRun, id: string, ...seats: readonly Seat[]): string => {
  const by = user(id);

  return getCode(run.propose(by, decision(run, by), { seats: seats.length === 0 ? [NO_GROUP] : seats }));
};
const isOpen = (run: TestRun) => Object.values(run.state().gates).some(({ status }) => status === "open");
const receipts = (run: TestRun) => Object.values(run.state().gates).flatMap(({ receipt }) => (receipt ? [receipt.payload] : []));

describe("a workspace rule", () => {
  it("is in the run's first record, and its demands are in the gate's", () => {
    const run = asking([rule({ groups: ["Finance"], count: 2, passkey: true, not_publisher: true })]);
    expect(run.records()[0]?.record.control[0]).toMatchObject({ type: "run_started", rules: [{ id: FIRST_RULE }] });
    expect(openGate(run).gate).toMatchObject({
      rules: [FIRST_RULE],
      demands: [{ groups: ["Finance"], people: [], count: 2, rule: FIRST_RULE }],
      quorum: 2,
      signature: "passkey",
      not_publisher: true,
    });
  });

  it("leaves gates of other calls, and runs without rules, as they are", () => {
    expect(openGate(asking([])).gate).not.toHaveProperty("rules");
    const { gate } = openGate(asking([rule({ groups: ["Finance"] }, { server: "docs" })]));
    expect(gate).not.toHaveProperty("rules");
    expect(gate).not.toHaveProperty("demands");
  });

  it("lets only the named decide, and the receipt names the rule", () => {
    const run = asking([rule({ groups: ["Finance"] })]);
    expect(approve(run, REVIEWER)).toBe("not_named");
    expect(approve(run, REVIEWER, LEGAL)).toBe("not_named");
    expect(approve(run, REVIEWER, FINANCE)).toBe("accepted");
    expect(receipts(run)).toMatchObject([{ rules: [FIRST_RULE] }]);
    expect(getCode(run.work(intent("crm", "update", { plan: "team" }, "0//1")))).toBe("accepted");
    expect(Object.values(run.state().effects).at(-1)).toMatchObject({ effect: { tool: "update" } });
  });

  it("makes a call wait that graph and engine would let pass", () => {
    const read = (rules: readonly Rule[]) => {
      const published = publishWith();
      const run = newRun(published);
      run.propose(user(STARTER, "builder"), { ...startBody(published), rules });
      run.propose(engine, { kind: "begin" });
      run.work(intent("docs", "read", { topic: "plans" }));

      return run.state().status;
    };
    expect(read([rule({ count: 1 })])).toBe("running");
    expect(read([rule({ count: 1 }, { effect: "read", server: "docs" })])).toBe("waiting");
  });

  it("compares the amount that the call names", () => {
    const named = (args: JsonObject) => openGate(asking([rule({ groups: ["Finance"] }, CREDIT)], args)).gate.rules;
    expect(named({ credit: 999 })).toBeUndefined();
    expect(named({ credit: 1_000 })).toEqual([FIRST_RULE]);
    expect(named({ credit: "5 EUR" })).toEqual([FIRST_RULE]);
    expect(named({})).toEqual([FIRST_RULE]);
  });
});

describe("an edit", () => {
  it("across the threshold comes under the rule, and back is free of it", () => {
    const run = asking([rule({ groups: ["Finance"] }, CREDIT)], { credit: 5 });
    expect(getCode(editAs(run, user(REVIEWER), { arguments: { plan: "team", credit: 5_000 } }))).toBe("accepted");
    expect(openGate(run).gate).toMatchObject({ rules: [FIRST_RULE], demands: [{ groups: ["Finance"] }] });
    expect(approve(run, SECOND)).toBe("not_named");
    const back = { kind: "edit", approval_id: openGate(run).gate.id, change: { arguments: { plan: "team", credit: 5 } } } as const;
    const { transition_digest, nonce } = openGate(run).gate;
    expect(getCode(run.propose(user(SECOND), { ...back, transition_digest, nonce }, { seats: [FINANCE] }))).toBe("accepted");
    expect(openGate(run).gate).not.toHaveProperty("rules");
    expect(openGate(run).gate).not.toHaveProperty("demands");
  });
});

describe("rule and node together", () => {
  it("count one approval towards both, and the higher quorum holds", () => {
    const run = atNode([rule({ groups: ["Finance"] })], { quorum: 2 });
    expect(openGate(run).gate.quorum).toBe(2);
    expect(approve(run, REVIEWER)).toBe("accepted");
    expect(approve(run, SECOND)).toBe("accepted");
    expect(isOpen(run)).toBe(true);
    expect(approve(run, THIRD, FINANCE)).toBe("accepted");
    expect(isOpen(run)).toBe(false);
    expect(receipts(run)[0]?.reviewers).toHaveLength(3);
  });

  it("leave no place for others where the rule's people fill the quorum", () => {
    const run = atNode([rule({ groups: ["Finance"], count: 2 })], { quorum: 2 });
    expect(approve(run, REVIEWER)).toBe("not_named");
  });

  it("never widen who is named by the graph", () => {
    const run = atNode([rule({ groups: ["Finance"] })], { quorum: 2 }, { approvers: { groups: ["Legal"], people: [] } });
    expect(approve(run, REVIEWER)).toBe("not_named");
    expect(approve(run, REVIEWER, LEGAL)).toBe("accepted");
    expect(approve(run, SECOND, FINANCE)).toBe("accepted");
    expect(isOpen(run)).toBe(true);
    expect(approve(run, THIRD, LEGAL)).toBe("accepted");
    expect(isOpen(run)).toBe(false);
  });
});

describe("two rules", () => {
  const both = [rule({ groups: ["Finance"] }), rule({ groups: ["Legal"] }, {}, OTHER_RULE)];

  it("are both obeyed before the call is approved", () => {
    const run = asking(both);
    expect(approve(run, REVIEWER, FINANCE)).toBe("accepted");
    expect(isOpen(run)).toBe(true);
    expect(approve(run, SECOND, LEGAL)).toBe("accepted");
    expect(isOpen(run)).toBe(false);
    expect(receipts(run)).toMatchObject([{ rules: [FIRST_RULE, OTHER_RULE] }]);
  });

  it("are obeyed by one person who is in both groups", () => {
    const run = asking(both);
    expect(approve(run, REVIEWER, { for: [], groups: ["Finance", "Legal"] })).toBe("accepted");
    expect(isOpen(run)).toBe(false);
  });
});

describe("the parties", () => {
  it("may not approve for a named person who delegated to them, and a delegate may not for them", () => {
    const run = asking([rule({ groups: ["Finance"] })]);
    expect(approve(run, STARTER, FINANCE)).toBe("own_run");
    expect(approve(run, REVIEWER, { for: [STARTER], groups: ["Finance"] })).toBe("not_named");
    expect(approve(run, REVIEWER, { for: [SECOND], groups: ["Finance"] })).toBe("accepted");
    expect(isOpen(run)).toBe(false);
  });

  it("include the publisher, not even as one of two, where the rule says so", () => {
    expect(approve(asking([rule({ count: 2 })]), AUTHOR)).toBe("accepted");
    expect(approve(asking([rule({ count: 2, not_publisher: true })]), AUTHOR)).toBe("own_version");
  });
});

describe("a fork", () => {
  const old = rule({ groups: ["Finance"] });
  const current = rule({ groups: ["Legal"] }, {}, OTHER_RULE);

  it.each([0, 1])("from record %i keeps its parent's rules and comes under those in force", (seq) => {
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(publishWith());
    const body = { rules: [current], ...(seq === 0 ? { start: { ...start, rules: [old] } } : {}) };
    const fork = forkOf(atAgent([old]), seq, { type: "none" }, { body });
    expect(fork.state().start?.rules).toEqual([old, current]);
  });
});

describe("verification", () => {
  let key: TestKey;
  beforeAll(async () => {
    key = await newKey("k1");
  });
  const RULES = [rule({ groups: ["Finance"], count: 2 }, CREDIT)];
  const called = (rules: readonly Rule[], args: JsonObject): TestRun => {
    const run = asking(rules, args);
    approve(run, REVIEWER, FINANCE);
    if (isOpen(run)) approve(run, SECOND, FINANCE);
    run.work(intent("crm", "update", { plan: "team", ...args }, "0//1"));
    expect(Object.values(run.state().effects)).toHaveLength(2);

    return run;
  };
  /** As changed by a holder of the runner's key. */
  const verdict = async (run: TestRun, change: (event: RunEvent) => RunEvent, isHidden = false) => {
    const records = run.records().map(({ record }) => ({ ...record, control: record.control.map(change) }));
    const document = exportOf(run, await chainOf(records, key));
    const cells = isHidden ? document.cells.map((cell) => ({ ...cell, opened: null })) : document.cells;
    const verified = await verifyLedger({ ...document, cells }, getKeys(key));

    return verified.ok ? "valid" : verified.reason;
  };
  const withGate = (change: object) => (event: RunEvent) =>
    event.type === "gate_opened" ? { ...event, gate: { ...event.gate, ...change } } : event;

  it("accepts a run that obeyed its rules", async () => {
    const run = called(RULES, { credit: 5_000 });
    expect(await verdict(run, (event) => event)).toBe("valid");
    expect(await verdict(run, (event) => event, true)).toBe("valid");
  });

  it.each<[string, object]>([
    ["a lower quorum", { quorum: 1 }],
    ["others named", { demands: [{ groups: ["Support"], people: [], count: 2, rule: FIRST_RULE }] }],
    ["fewer of the named", { demands: [{ groups: ["Finance"], people: [], count: 1, rule: FIRST_RULE }] }],
    ["a rule that the run does not have", { rules: [OTHER_RULE] }],
  ])("rejects a gate with %s", async (_what, change) => {
    expect(await verdict(called(RULES, { credit: 5_000 }), withGate(change))).toBe("approvers");
  });

  it("rejects a call whose gate left out a rule, unless its amount is hidden", async () => {
    const run = called([], { credit: 5_000 });
    const later = (event: RunEvent) => (event.type === "run_started" ? { ...event, rules: RULES } : event);
    expect(await verdict(run, later)).toBe("approvers");
    expect(await verdict(run, later, true)).toBe("valid");
    const always = [rule({ groups: ["Finance"] })];
    const bound = (event: RunEvent) => (event.type === "run_started" ? { ...event, rules: always } : event);
    expect(await verdict(run, bound, true)).toBe("approvers");
  });

  it("rejects an approval by the publisher whom the rule excludes", async () => {
    const run = asking([rule({ count: 2 })]);
    approve(run, AUTHOR);
    approve(run, REVIEWER);
    const excluded = (event: RunEvent) =>
      event.type === "run_started"
        ? { ...event, rules: [rule({ count: 2, not_publisher: true })] }
        : withGate({ not_publisher: true })(event);
    expect(await verdict(run, (event) => event)).toBe("valid");
    expect(await verdict(run, excluded)).toBe("approvers");
  });
});

it("asks again where an approval did not obey a rule that applies to the call", () => {
  /** The gate opens as if no rule applied, as under a lower label. */
  const lenient: typeof decide = (published, state, proposal) => {
    if (!state.start || Object.keys(state.gates).length > 0) return decide(published, state, proposal);
    const { rules: _unseen, ...start } = state.start;

    return decide(published, { ...state, start }, proposal);
  };
  const run = atAgent([rule({ groups: ["Finance"] })], publishWith(), lenient);
  ask(run, {});
  expect(openGate(run).gate).not.toHaveProperty("rules");
  expect(approve(run, REVIEWER)).toBe("accepted");
  run.work(intent("crm", "update", { plan: "team" }, "0//1"));
  expect(openGate(run).gate).toMatchObject({ rules: [FIRST_RULE] });
});
