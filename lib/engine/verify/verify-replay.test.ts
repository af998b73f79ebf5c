import { beforeAll, describe, expect, test } from "vitest";
import { publishWith } from "@/lib/engine/testing/graph";
import { forkOf, wholeOf } from "@/lib/engine/testing/fork";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, hashOf, type TestRun } from "@/lib/engine/testing/run";
import type { LedgerExport } from "@/lib/engine/verify/verify";
import { listNotProved, verifyReplay, type ShownRun } from "@/lib/engine/verify/verify-replay";

let key: TestKey;
let run: TestRun;
let ledger: LedgerExport;

const written = async (of: TestRun): Promise<LedgerExport> =>
  exportOf(
    of,
    await chainOf(
      of.records().map(({ record }) => record),
      key,
    ),
  );
beforeAll(async () => {
  key = await newKey("k1");
  run = atGate();
  ledger = await written(run);
});

const shown = (): ShownRun => {
  const { status, currentNode, refusals, totalTokens, costMicroUsd } = run.state();

  return { status, currentNode, refusals, totalTokens, totalMicroUsd: costMicroUsd };
};
const last = () => ledger.records.length - 1;

describe("a run", () => {
  test("verifies with its records and summary", async () => {
    const executed = () => hashOf(run.published);

    expect(await verifyReplay(ledger, getKeys(key), { executed, shown: shown() })).toMatchObject({ ok: true, records: last() + 1 });
  });

  test.each([
    ["status", { status: "completed" }],
    ["node", { currentNode: "write" }],
    ["number of refusals", { refusals: 3 }],
    ["number of tokens", { totalTokens: 1 }],
    ["cost", { totalMicroUsd: 1 }],
  ] as const)("fails when the summary shows another %s", async (_what, change) => {
    expect(await verifyReplay(ledger, getKeys(key), { shown: { ...shown(), ...change } })).toEqual({
      ok: false,
      seq: last(),
      reason: "state",
    });
  });

  test("fails when another version was allegedly executed", async () => {
    expect(await verifyReplay(ledger, getKeys(key), { executed: () => "0".repeat(64) })).toEqual({ ok: false, seq: 0, reason: "graph" });
  });

  test("names the first bad record before anything else", async () => {
    const records = ledger.records.map((record) => (record.seq === 2 ? { ...record, digest: "0".repeat(64) } : record));

    expect(await verifyReplay({ ...ledger, records }, getKeys(key), { executed: () => "x" })).toEqual({
      ok: false,
      seq: 2,
      reason: "hash",
    });
  });

  test("executed its parent's version up to the fork, and its own afterwards", async () => {
    const fork = forkOf(run, 5, { type: "strict_taint", value: true });
    const whole = await written(wholeOf(run, fork));

    expect(await verifyReplay(whole, getKeys(key), { executed: () => hashOf(fork.published) })).toMatchObject({ ok: true });
    expect(await verifyReplay(whole, getKeys(key), { executed: () => hashOf(publishWith()) })).toEqual({
      ok: false,
      seq: 5,
      reason: "graph",
    });
  });

  test("states the unproved claims, fewer when signed as a whole", () => {
    expect(listNotProved(false)).toContain("that no records were removed from the end together with the run's head");
    expect(listNotProved(true)).not.toContain("that no records were removed from the end together with the run's head");
  });
});
