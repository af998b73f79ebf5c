import { beforeAll, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, decision, REVIEWER, SECOND, user, uuid } from "@/lib/engine/testing/run";
import { verifyLedger } from "@/lib/engine/verify/verify";

type Made = Extract<RunEvent, { type: "decision_made" }>;

const THIRD = uuid(14);
let key: TestKey;
beforeAll(async () => {
  key = await newKey("k1");
});

/** Two decide, one for a third; the runner's key holder changed the records. */
const verdictOn = async (change: (made: Made) => Made, quorum = 2) => {
  const config = { prompt: "Write it?", for_node: "write", quorum: 2 };
  const run = atGate(publishWith({ nodes: nodesWith("ask", { config, approvers: { groups: ["Finance"], people: [THIRD] } }) }));
  const [first, second] = [user(REVIEWER), user(SECOND)];
  run.propose(first, decision(run, first), { seats: [{ for: [], groups: ["Finance"] }] });
  run.propose(second, decision(run, second), { seats: [{ for: [THIRD], groups: [] }] });
  expect(run.state().currentNode).toBe("write");
  const records = run.records().map(({ record }) => ({
    ...record,
    control: record.control.map((event) => {
      if (event.type === "gate_opened" && event.gate.demands)
        return { ...event, gate: { ...event.gate, demands: event.gate.demands.map((demand) => ({ ...demand, count: quorum })) } };

      return event.type === "decision_made" ? change(event) : event;
    }),
  }));
  const verified = await verifyLedger(exportOf(run, await chainOf(records, key)), getKeys(key));

  return verified.ok ? "valid" : verified.reason;
};
const without = ({ groups: _groups, for: _for, ...made }: Made): Made => made;

it("accepts decisions by the named, and by delegates", async () => {
  expect(await verdictOn((made) => made)).toBe("valid");
});

it.each<[string, (made: Made) => Made, number?]>([
  ["of a person in no demanded group", (made) => (made.user === REVIEWER ? without(made) : made)],
  ["of a person in another group", (made) => (made.user === REVIEWER ? { ...made, groups: ["Support"] } : made)],
  ["of a delegate of an unnamed person", (made) => (made.user === SECOND ? { ...made, for: [uuid(15)] } : made)],
  ["for one who has decided", (made) => (made.user === SECOND ? { ...made, groups: ["Finance"], for: [REVIEWER] } : made)],
  ["too few for the demand", (made) => made, 3],
  ["in another's name", (made) => (made.user === SECOND ? { ...made, user: THIRD } : made)],
])("rejects a decision %s", async (_, change, quorum) => {
  expect(await verdictOn(change, quorum)).toBe("approvers");
});

it("rejects a rejection by a person who is not named", async () => {
  const config = { prompt: "Write it?", for_node: "write", rejection_node: "decline" };
  const run = atGate(publishWith({ nodes: nodesWith("ask", { config, approvers: { groups: ["Finance"] } }) }));
  const by = user(REVIEWER);
  run.propose(by, decision(run, by, "reject"), { seats: [{ for: [], groups: ["Finance"] }] });
  expect(run.state().currentNode).toBe("decline");
  const verdict = async (change: (made: Made) => Made) => {
    const records = run.records().map(({ record }) => ({
      ...record,
      control: record.control.map((event) => (event.type === "decision_made" ? change(event) : event)),
    }));

    return verifyLedger(exportOf(run, await chainOf(records, key)), getKeys(key));
  };
  expect(await verdict((made) => made)).toMatchObject({ ok: true });
  expect(await verdict(without)).toMatchObject({ ok: false, reason: "approvers" });
});
