import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "@/lib/engine/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openLedger } from "@/server/runner/load";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/store/signing-keys";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 400;
/** What an honest run of this mail comes to; the first test holds these numbers to the truth. */
const RECORDS = 27;
const CALLS = 8;

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

type Cut = { readonly afterRecord: number | null; readonly afterCall: number | null };

/** Runs a runner process until it dies or has nothing to do. @returns the signal that ended it */
const runChild = (runId: string, cut: Cut): Promise<NodeJS.Signals | null> =>
  runRunner({ desk, runId, leaseMs: LEASE_MS, dieAfterRecord: cut.afterRecord, dieAfterCall: cut.afterCall });

const approveIfAsked = async (runId: string): Promise<void> => {
  const { state } = await readRun(desk, runId);
  if (state.status === "waiting") await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
};

/** Kills a runner at the cut, wherever the approval falls; then lets another runner finish. */
const survive = async (cut: Cut) => {
  const before = await customersOf(desk);
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  let signal = await runChild(runId, cut);
  if (signal === null) {
    const { records, state } = await readRun(desk, runId);
    const done = { records: records.length, calls: records.filter(({ record }) => isCall(record.proposal_kind)).length };
    if (state.status === "waiting") await approveIfAsked(runId);
    signal = await runChild(runId, {
      afterRecord: cut.afterRecord === null ? null : cut.afterRecord - done.records,
      afterCall: cut.afterCall === null ? null : cut.afterCall - done.calls,
    });
  }
  await leaseOver(desk, runId);
  await drive(desk, runId);
  await approveIfAsked(runId);
  await drive(desk, runId);
  const { state, records } = await readRun(desk, runId);
  const after = await customersOf(desk);

  return { signal, state, records, runId, applied: after.applied - before.applied };
};

const isCall = (kind: string) => kind === "model_call" || kind === "effect_outcome";
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("a runner killed with -9", () => {
  it("is tested at every record and at every call that a run has", async () => {
    const runId = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, runId);
    await approveIfAsked(runId);
    await drive(desk, runId);
    const { records, state } = await readRun(desk, runId);
    expect(state.status).toBe("completed");
    expect(records).toHaveLength(RECORDS);
    expect(records.filter(({ record }) => isCall(record.proposal_kind))).toHaveLength(CALLS);
  });

  it.each([
    // After the last record there is nothing left to lose.
    ...range(RECORDS - 1).map((n) => ({ name: `after record ${n}`, afterRecord: n, afterCall: null })),
    ...range(CALLS).map((n) => ({ name: `after call ${n}, before its outcome is recorded`, afterRecord: null, afterCall: n })),
  ])(
    "$name: the run goes on and completes, writes the customer once, asks once, and verifies",
    async (cut) => {
      const { signal, state, applied, runId } = await survive(cut);
      expect(signal).toBe("SIGKILL");
      expect(state.status).toBe("completed");
      expect(applied).toBe(1);
      expect(Object.keys(state.gates)).toHaveLength(1);
      const ledger = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId, version: state.version, digest: state.head });
      expect(await verifyLedger(ledger, await listPublicKeys())).toMatchObject({ ok: true });
    },
    60_000,
  );
});
