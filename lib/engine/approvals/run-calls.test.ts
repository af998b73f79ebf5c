import { beforeAll, describe, expect, it } from "vitest";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atAgent, CREDIT, decideGate, FIRST_RULE, propose, recover, rule, say, verifyChanged } from "@/lib/engine/testing/rules";
import { getCode, REVIEWER, settle, user, type TestRun } from "@/lib/engine/testing/run";
import { forkOf, wholeOf } from "@/lib/engine/testing/fork";
import { answerAs, asks, newestEffect } from "@/lib/engine/testing/tool-input";
import type { GateState } from "@/lib/engine/state";

const TOTAL = rule({ groups: ["Finance"] }, { ...CREDIT, amount: { ...CREDIT.amount, total: true } });
const ID = (index: number): string => String(index + 1);

let key: TestKey;
beforeAll(async () => {
  key = await newKey("k1");
});

const gates = (run: TestRun): readonly GateState[] => Object.values(run.state().gates);
const bound = (run: TestRun) => gates(run).map(({ gate }) => gate.rules?.includes(FIRST_RULE) === true);

const waiting = (...credits: readonly number[]): TestRun => {
  const run = atAgent([TOTAL]);
  say(run, ...credits.map((credit, index) => [ID(index), { credit }] as const));
  for (const [index, credit] of credits.entries()) expect(propose(run, { credit }, ID(index))).toBe("accepted");

  return run;
};
const editTo = (run: TestRun, index: number, credit: number): string => {
  const { id, transition_digest, nonce } = gates(run)[index]?.gate ?? { id: "", transition_digest: "", nonce: "" };
  const change = { arguments: { plan: "team", credit } };

  return getCode(run.propose(user(REVIEWER), { kind: "edit", approval_id: id, transition_digest, nonce, change }));
};
const made = (run: TestRun, index: number, credit: number): string => {
  const code = propose(run, { credit }, ID(index));
  if (Object.values(run.state().effects).some(({ outcome }) => outcome === null)) settle(run, {});

  return code;
};

describe("a rule over a run's total", () => {
  it("binds the call that reaches it, and each after", () => {
    expect(bound(waiting(600, 399, 1, 1))).toEqual([false, false, true, true]);
    expect(bound(waiting(1_000))).toEqual([true]);
  });

  it("does not bind an earlier call again, whatever order they are approved and made in", async () => {
    const run = waiting(600, 600);
    expect(decideGate(run, 1)).toBe("accepted");
    expect(made(run, 1, 600)).toBe("accepted");
    expect(decideGate(run, 0)).toBe("accepted");
    expect(made(run, 0, 600)).toBe("accepted");
    expect(gates(run)).toHaveLength(2);
    expect(Object.values(run.state().effects)).toHaveLength(3);
    expect(await verifyChanged(run, key)).toBe("valid");
  });

  it("counts calls that were made, failed ones too", () => {
    for (const outcome of ["ok", "tool_error"] as const) {
      const run = waiting(600);
      decideGate(run, 0);
      expect(propose(run, { credit: 600 })).toBe("accepted");
      settle(run, {}, outcome);
      say(run, [ID(1), { credit: 500 }]);
      propose(run, { credit: 500 }, ID(1));
      expect(bound(run)).toEqual([false, true]);
    }
  });

  it("counts no rejected call", () => {
    const run = waiting(600);
    expect(decideGate(run, 0, "reject")).toBe("accepted");
    say(run, [ID(1), { credit: 500 }]);
    propose(run, { credit: 500 }, ID(1));
    expect(bound(run)).toEqual([false, false]);
  });

  it("counts an edited call with its new amount, after those that waited", async () => {
    const run = waiting(600, 300);
    expect(editTo(run, 0, 650)).toBe("accepted");
    expect(bound(run)).toEqual([false, false, false]);
    expect(editTo(run, 2, 700)).toBe("accepted");
    expect(bound(run)).toEqual([false, false, false, true]);
    expect(decideGate(run, 3)).toBe("accepted");
    expect(await verifyChanged(run, key)).toBe("valid");
  });

  it("counts a call to go on with, but not twice: neither after a crash nor in a fork", async () => {
    const run = waiting(600);
    const fork = forkOf(run, run.state().version, { type: "none" }, { effects: "live", body: { rules: [TOTAL] } });
    expect(getCode(fork.verdict)).toBe("accepted");
    expect(propose(fork, { credit: 600 })).toBe("accepted");
    expect(bound(fork)).toEqual([false, false]);
    expect(decideGate(fork, 1)).toBe("accepted");
    expect(propose(fork, { credit: 600 })).toBe("accepted");
    expect(await verifyChanged(wholeOf(run, fork), key)).toBe("valid");

    decideGate(run, 0);
    propose(run, { credit: 600 });
    expect(recover(run)).toBe("accepted");
    expect(bound(run)).toEqual([false, false]);
    expect(gates(run)[1]?.gate.reason).toBe("unclear_effect");
    expect(decideGate(run, 1)).toBe("accepted");
    expect(await verifyChanged(run, key)).toBe("valid");
  });

  it("binds a call after a crash as before it, although an earlier call was made later", async () => {
    const run = waiting(600, 600);
    for (const index of [0, 1]) expect(decideGate(run, index)).toBe("accepted");
    expect(propose(run, { credit: 600 }, ID(1))).toBe("accepted");
    const { effect_id } = newestEffect(run);
    expect(propose(run, { credit: 600 }, ID(0))).toBe("accepted");
    settle(run, {});
    expect(recover(run, effect_id)).toBe("accepted");
    expect(bound(run)).toEqual([false, true, true]);
    expect(decideGate(run, 2)).toBe("accepted");
    expect(await verifyChanged(run, key)).toBe("valid");
  });

  it("counts a call once that asks a person", () => {
    const run = waiting(600);
    decideGate(run, 0);
    propose(run, { credit: 600 });
    asks(run);
    expect(getCode(answerAs(run))).toBe("accepted");
    settle(run, {});
    say(run, [ID(1), { credit: 399 }]);
    expect(propose(run, { credit: 399 }, ID(1))).toBe("accepted");
    expect(bound(run)).toEqual([false, false, false]);
  });
});
