import { describe, expect, it } from "vitest";
import type { Rule } from "@/lib/approval-rules/rule";
import { buildApprovalView, computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { decide } from "@/lib/engine/decide";
import { forkOf } from "@/lib/engine/testing/fork";
import { editAs } from "@/lib/engine/testing/gates";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { END, step, version, writer } from "@/lib/engine/testing/kinds";
import {
  approve,
  ask,
  asking,
  atAgent,
  CREDIT,
  FINANCE,
  FIRST_RULE,
  isOpen,
  propose,
  rule,
  startedUnder,
} from "@/lib/engine/testing/rules";
import {
  AUTHOR,
  decision,
  getCode,
  intent,
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
import { asks } from "@/lib/engine/testing/tool-input";
import { cancel, undos, write } from "@/lib/engine/testing/undo";
import { drive } from "@/lib/engine/testing/work";
import type { JsonObject } from "@/lib/json";
import type { Seat } from "@/lib/people/approvers";

const [THIRD, OTHER_RULE] = [uuid(14), uuid(91)];
const LEGAL: Seat = { for: [], groups: ["Legal"] };

/** At an approval node for a tool node. */
const atNode = (rules: readonly Rule[], config: Record<string, unknown> = {}, more: Record<string, unknown> = {}): TestRun => {
  const nodes = nodesWith("ask", { config: { prompt: "Write it?", for_node: "write", ...config }, ...more });
  const run = atAgent(rules, publishWith({ nodes }));
  run.work(result(update("request", { plan: "team" })));
  run.work(result());
  run.work(result({ type: "request_human_input", prompt: "" }));

  return run;
};
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

  it.each([
    ["staging", "staging", true],
    ["production", "staging", false],
    [undefined, "production", true],
    [undefined, "staging", false],
  ])("in a run of %s binds where it names %s: %s", (environment, named, isBound) => {
    const rules = [rule({ count: 2 }, { environment: named })];
    const run = atAgent(rules, publishWith(), decide, environment);
    ask(run);
    expect(openGate(run).gate.quorum).toBe(isBound ? 2 : 1);
  });

  it("lets only the named decide, and the receipt names the rule", () => {
    const run = asking([rule({ groups: ["Finance"] })]);
    expect(approve(run, REVIEWER)).toBe("not_named");
    expect(approve(run, REVIEWER, LEGAL)).toBe("not_named");
    expect(approve(run, REVIEWER, FINANCE)).toBe("accepted");
    expect(receipts(run)).toMatchObject([{ rules: [FIRST_RULE] }]);
    expect(propose(run)).toBe("accepted");
    expect(Object.values(run.state().effects).at(-1)).toMatchObject({ effect: { tool: "update" } });
  });

  it("makes a call wait that graph and engine would let pass", () => {
    const read = (rules: readonly Rule[]) => {
      const run = startedUnder(rules);
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
  const forkAt = (seq: number, before: readonly Rule[], inForce: readonly Rule[]) => {
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(publishWith());
    const body = { rules: inForce, ...(seq === 0 ? { start: { ...start, rules: before } } : {}) };

    return forkOf(atAgent(before), seq, { type: "none" }, { body });
  };

  it.each([0, 1])("from record %i keeps its parent's rules and comes under those in force", (seq) => {
    expect(forkAt(seq, [old], [current]).state().start?.rules).toEqual([old, current]);
  });

  it.each([0, 1])("from record %i has at most 40 rules", (seq) => {
    const many = (count: number, from: number) => Array.from({ length: count }, (_, index) => rule({}, {}, uuid(from + index)));
    expect(getCode(forkAt(seq, many(20, 100), many(20, 200)).verdict)).toBe("accepted");
    expect(getCode(forkAt(seq, many(21, 100), many(20, 200)).verdict)).toBe("limits_exceeded");
  });
});

describe("an undo", () => {
  it("under a rule waits for its people, and is then made", () => {
    const undone = (rules: readonly Rule[]): TestRun => {
      const run = startedUnder(rules, version([writer("w1"), step("last"), END]));
      write(run);
      cancel(run);
      drive(run);

      return run;
    };
    expect(undos(undone([]))).toHaveLength(1);
    const run = undone([rule({ groups: ["Finance"], count: 2 }, { server: "crm", tool: "undo" })]);
    expect(undos(run)).toEqual([]);
    expect(openGate(run).gate).toMatchObject({ reason: "undo", rules: [FIRST_RULE], quorum: 2 });
    expect(approve(run, REVIEWER)).toBe("not_named");
    expect(approve(run, REVIEWER, FINANCE)).toBe("accepted");
    expect(approve(run, SECOND, FINANCE)).toBe("accepted");
    drive(run);
    expect(undos(run)).toEqual([[{ what: "w1" }, null]]);
  });
});

describe("a tool's question", () => {
  it.each([
    [1, "gate_opened"],
    [2, "effect_settled"],
  ])("during a call under a rule for %i people has %s", (count, type) => {
    const run = startedUnder([rule({ count }, { effect: "read", server: "docs" })]);
    const read = () => run.work(intent("docs", "read", { topic: "plans" }));
    read();
    for (const id of [REVIEWER, SECOND].slice(0, count)) expect(approve(run, id)).toBe("accepted");
    read();
    const verdict = asks(run);
    expect(verdict.ok ? verdict.events[0]?.type : verdict.refusal.code).toBe(type);
  });
});

it("belongs to the view that a decision names", () => {
  const run = asking([rule({ groups: ["Finance"] })]);
  const by = user(REVIEWER);
  const { needs, ...view } = buildApprovalView(run.published, run.state(), openGate(run), "pii");
  expect(needs?.rules).toEqual(["Changes need an approval by Finance."]);
  const unseen = { ...decision(run, by), view_digest: computeViewDigest(view) };
  expect(getCode(run.propose(by, unseen, { seats: [FINANCE] }))).toBe("view_mismatch");
  expect(approve(run, REVIEWER, FINANCE)).toBe("accepted");
});

it("asks again where an approval did not obey a rule that applies to the call", () => {
  /** The gate opens as if no rule applied, as under a lower label. */
  const lenient: typeof decide = (published, state, proposal) => {
    if (!state.start || Object.keys(state.gates).length > 0) return decide(published, state, proposal);
    const { rules: _unseen, ...start } = state.start;

    return decide(published, { ...state, start }, proposal);
  };
  const run = atAgent([rule({ groups: ["Finance"] })], publishWith(), lenient);
  ask(run);
  expect(openGate(run).gate).not.toHaveProperty("rules");
  expect(approve(run, REVIEWER)).toBe("accepted");
  propose(run);
  expect(openGate(run).gate).toMatchObject({ rules: [FIRST_RULE] });
});
