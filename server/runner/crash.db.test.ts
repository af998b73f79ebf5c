import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openLedger } from "@/server/runner/load";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 10_000;
type Passed = { readonly records: number; readonly calls: number };
const WHOLE: Passed = { records: 27, calls: 8 };
const ASKED: Passed = { records: 20, calls: 6 };

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

type Cut = { readonly afterRecord: number | null; readonly afterCall: number | null };

const runChild = (runId: string, cut: Cut): Promise<NodeJS.Signals | null> =>
  runRunner({ desk, runId, leaseMs: LEASE_MS, dieAfterRecord: cut.afterRecord, dieAfterCall: cut.afterCall });

const approveIfAsked = async (runId: string): Promise<void> => {
  const { state } = await readRun(desk, runId);
  if (state.status === "waiting") await command(desk, runId, desk.people.reviewer, decisionFor(desk, state, "approve"));
};

const passed = async (runId: string): Promise<Passed> => {
  const { records } = await readRun(desk, runId);

  return { records: records.length, calls: records.filter(({ record }) => isCall(record.proposal_kind)).length };
};

const isAfterAsking = ({ afterRecord, afterCall }: Cut): boolean => (afterRecord ?? 0) > ASKED.records || (afterCall ?? 0) > ASKED.calls;

const survive = async (cut: Cut) => {
  const before = await customersOf(desk);
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  if (isAfterAsking(cut)) {
    await drive(desk, runId);
    await approveIfAsked(runId);
  }
  const done = isAfterAsking(cut) ? ASKED : { records: 0, calls: 0 };
  const signal = await runChild(runId, {
    afterRecord: cut.afterRecord === null ? null : cut.afterRecord - done.records,
    afterCall: cut.afterCall === null ? null : cut.afterCall - done.calls,
  });
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
  it("is tested at every record and call of a run", async () => {
    const runId = await startRun(desk, "honest", "02-outage-credit.txt");
    await drive(desk, runId);
    expect(await passed(runId)).toEqual(ASKED);
    await approveIfAsked(runId);
    await drive(desk, runId);
    expect((await readRun(desk, runId)).state.status).toBe("completed");
    expect(await passed(runId)).toEqual(WHOLE);
  });

  it.each([
    ...range(WHOLE.records - 1).map((n) => ({ name: `after record ${n}`, afterRecord: n, afterCall: null })),
    ...range(WHOLE.calls).map((n) => ({ name: `after call ${n}, before its outcome is recorded`, afterRecord: null, afterCall: n })),
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
