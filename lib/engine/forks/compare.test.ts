import { describe, expect, test } from "vitest";
import { compareRuns } from "@/lib/engine/forks/compare";
import { parseEntries, hiddenEntriesOf } from "@/lib/engine/testing/entries";
import { edgesWith, publishWith } from "@/lib/engine/testing/graph";
import { atGate, atParse, atTriage, decideAs, result, REVIEWER, SECOND, update, user, type TestRun } from "@/lib/engine/testing/run";

const compared = (a: TestRun, b: TestRun) => compareRuns(parseEntries(a), parseEntries(b));

const decided = (choice: "approve" | "reject"): TestRun => {
  const run = atGate();
  decideAs(run, user(REVIEWER), choice);

  return run;
};

const later = (): TestRun => {
  const run = atGate();
  const { signed, values } = { signed: run.records(), values: run.values() };
  const other = (text: string) => text.replaceAll("00000000-0000-4000-8000-", "11111111-0000-4000-8000-").replaceAll('"at":18', '"at":19');

  return {
    ...run,
    records: () => signed.map((record) => JSON.parse(other(JSON.stringify(record))) as (typeof signed)[number]),
    values: () => values.map((list) => JSON.parse(other(JSON.stringify(list))) as (typeof values)[number]),
  };
};

describe("two equal runs", () => {
  test("do not diverge, whatever their times, ids, digests and keys", () => {
    const { common, divergence, memory } = compared(atGate(), later());

    expect({ common, divergence, memory: memory.length }).toEqual({ common: atGate().records().length, divergence: null, memory: 0 });
  });
});

describe("two runs", () => {
  test("diverge at the first different value, not before", () => {
    const { divergence, common, memory } = compared(atTriage(undefined, "team"), atTriage(undefined, "free"));

    expect(divergence).toMatchObject({ a: common, b: common, aspect: "values" });
    expect(memory.map(({ path, change }) => `${change} ${path}`)).toEqual(["changed request"]);
  });

  test("do not diverge in values hidden from the reader", () => {
    const { divergence } = compareRuns(hiddenEntriesOf(atTriage(undefined, "team")), parseEntries(atTriage(undefined, "free")));

    expect(divergence).toBeNull();
  });

  test("diverge at another route, and show both", () => {
    const [a, b] = [atTriage(undefined, "team"), atTriage(publishWith({ edges: edgesWith("free", { condition: "true" }) }), "team")];
    for (const run of [a, b]) run.work(result());
    const { divergence, a: left, b: right } = compared(a, b);

    expect(divergence?.aspect).toBe("events");
    expect([left.route.at(-1), right.route.at(-1)]).toEqual(["ask", "decline"]);
  });

  test("diverge at the decision when one was approved and one rejected", () => {
    const { divergence, a, b } = compared(decided("approve"), decided("reject"));

    expect(divergence).toMatchObject({ a: atGate().records().length, aspect: "events" });
    expect([a.decisions, b.decisions].map(([one]) => one?.outcome)).toEqual(["approved", "rejected"]);
  });

  test("are equal while both continue, until one ends", () => {
    const { divergence, common } = compared(atParse(), atGate());

    expect(divergence).toEqual({ a: null, b: common, aspect: "end" });
    expect(common).toBe(atParse().records().length);
  });

  test("differ by refusals, each with its node", () => {
    const refused = atParse();
    refused.work(result(update("salary", 1)));
    const { divergence, a, b } = compared(atParse(), refused);

    expect(divergence).toMatchObject({ a: null, aspect: "end" });
    expect(a.refusals).toEqual([]);
    expect(b.refusals).toMatchObject([{ code: "write_not_granted", node: "parse" }]);
  });

  test("approved by two people are equal", () => {
    const other = atGate();
    decideAs(other, user(SECOND));

    expect(compared(decided("approve"), other).divergence).toBeNull();
  });
});
