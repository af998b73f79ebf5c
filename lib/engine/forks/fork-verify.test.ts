import { beforeAll, describe, expect, test } from "vitest";
import { findAuthorityFault, type EffectClaim } from "@/lib/engine/authority";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { forkOf, wholeOf, type ForkedRun } from "@/lib/engine/testing/fork";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, decideAs, intent, result, REVIEWER, update, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";

let key: TestKey;
let parent: TestRun;

beforeAll(async () => {
  key = await newKey("k1");
  parent = atGate();
  decideAs(parent, user(REVIEWER));
});

const NONE = { type: "none" } as const;
const chained = (run: TestRun): Promise<SignedRecord[]> =>
  chainOf(
    run.records().map(({ record }) => record),
    key,
  );

const forked = async (effects: "live" | "simulate" = "live"): Promise<{ fork: ForkedRun; chain: SignedRecord[]; ledger: LedgerExport }> => {
  const fork = forkOf(parent, 5, NONE, { effects });
  fork.work(result(update("request", { plan: "team" })));
  const chain = await chained(wholeOf(parent, fork));

  return { fork, chain, ledger: exportOf(wholeOf(parent, fork), chain) };
};
const verify = (ledger: LedgerExport) => verifyLedger(ledger, getKeys(key));

describe("the ledger of a fork", () => {
  test("verifies from its parent's first record on, with the parent's digests", async () => {
    const { chain, ledger } = await forked();
    const original = await chained(parent);

    expect(await verify(ledger)).toMatchObject({ ok: true, records: chain.length });
    expect(chain.slice(0, 5).map(({ digest }) => digest)).toEqual(original.slice(0, 5).map(({ digest }) => digest));
  });

  test("does not verify with a changed record or value of its parent, and names it", async () => {
    const { ledger } = await forked();
    const changed = (at: number) => ({
      ...ledger,
      records: ledger.records.map((record) => (record.seq === at ? { ...record, body: record.body.replace('"v":1', '"v":1 ') } : record)),
    });
    const value = {
      ...ledger,
      cells: ledger.cells.map((cell) => (cell.path === "mail" ? { ...cell, opened: { salt: "00", value: "other" } } : cell)),
    };

    for (let seq = 0; seq < 5; seq += 1) expect(await verify(changed(seq))).toEqual({ ok: false, seq, reason: "hash" });
    expect(await verify(value)).toEqual({ ok: false, seq: 4, reason: "commitment" });
  });

  test("does not verify without its parent's records, or as another run's ledger", async () => {
    const { ledger } = await forked();
    const alone = { ...ledger, records: ledger.records.slice(5), cells: ledger.cells.filter(({ seq }) => seq >= 5) };

    expect(await verify(alone)).toMatchObject({ ok: false, reason: "seq_gap" });
    expect(await verify({ ...ledger, run: parent.state().run })).toEqual({ ok: false, seq: 5, reason: "wrong_run" });
  });

  test.each([
    ["another parent", { parent_run: uuid(77) }],
    ["another record", { parent_seq: 4 }],
    ["another run as itself", { run: uuid(78) }],
  ])("does not verify when its first record names %s", async (_what, change) => {
    const { fork } = await forked();
    const whole = wholeOf(parent, fork);
    const chain = await chainOf(
      whole.records().map(({ record }) => ({
        ...record,
        control: record.control.map((event) => (event.type === "run_forked" ? { ...event, ...change } : event)),
      })),
      key,
    );

    expect(await verify(exportOf(whole, chain))).toEqual({ ok: false, seq: 5, reason: "fork_parent" });
  });
});

describe("checks of a fork's privileged call", () => {
  const asked = async (effects: "live" | "simulate") => {
    const fork = forkOf(parent, parent.state().version, NONE, { effects });
    fork.work(intent("crm", "update", { plan: "team" }));
    decideAs(fork, user(REVIEWER));
    fork.work(intent("crm", "update", { plan: "team" }, "again"));
    const chain = await chained(wholeOf(parent, fork));
    const effect = Object.values(fork.state().effects).at(-1);
    const resolved = chain.flatMap(({ record }) => record.control).findLast((event) => event.type === "gate_resolved");
    const claim: EffectClaim = {
      effect_id: effect?.effect_id ?? "",
      server: "crm",
      tool: "update",
      arguments: { plan: "team" },
      definition_digest: "b".repeat(64),
      idempotency_key: effect?.idempotency_key ?? "",
      receipt: resolved?.type === "gate_resolved" ? resolved.receipt : null,
    };
    const state = fork.state();
    const evidence = {
      workspace: state.workspace,
      run: state.run,
      graph_hash: state.graphHash,
      policy_hash: state.policyHash,
      records: chain,
    };

    return { claim, evidence, at: fork.now() };
  };

  test("accept the live fork's own approval, never its parent's", async () => {
    const { claim, evidence, at } = await asked("live");
    const inherited = evidence.records.flatMap(({ record }) => record.control).find((event) => event.type === "gate_resolved");

    expect(await findAuthorityFault(evidence, claim, at, getKeys(key))).toBeNull();
    const receipt = inherited?.type === "gate_resolved" ? inherited.receipt : null;
    expect(receipt?.payload.run).toBe(parent.state().run);
    expect(await findAuthorityFault(evidence, { ...claim, receipt }, at, getKeys(key))).toBe("receipt_differs");
  });

  test("reject everything in a simulated fork", async () => {
    const { claim, evidence, at } = await asked("simulate");

    expect(await findAuthorityFault(evidence, claim, at, getKeys(key))).toBe("simulated");
  });

  test("do not take the parent's records for the fork's", async () => {
    const { claim, evidence, at } = await asked("live");

    expect(await findAuthorityFault({ ...evidence, records: evidence.records.slice(0, 9) }, claim, at, getKeys(key))).toBe("chain_broken");
  });
});
