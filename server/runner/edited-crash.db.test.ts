import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { findAside, getKnownValue } from "@/lib/engine/state";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openLedger } from "@/server/runner/load";
import { command, openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { bundleChild, leaseOver, runRunner } from "@/server/runner/testing/runner-process";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const LEASE_MS = 10_000;
const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await bundleChild(installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const proposedIn = async (runId: string): Promise<JsonObject> => {
  const { state } = await readRun(desk, runId);
  const pending = getKnownValue(findAside(state, `$pending.${openGateOf(state).gate.id}`).at(-1));
  const args = isJsonObject(pending) ? pending["arguments"] : null;
  if (!isJsonObject(args)) throw new Error("no call waits");

  return args;
};

const editedRun = async () => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, runId);
  const { state } = await readRun(desk, runId);
  const { gate } = openGateOf(state);
  const edited = { ...(await proposedIn(runId)), credit_cents: 123 };
  const outcome = await ask(desk, runId, desk.people.reviewer, {
    kind: "edit",
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    nonce: gate.nonce,
    change: { arguments: edited },
  });
  expect(outcome.refusal).toBeNull();
  const { state: then, records } = await readRun(desk, runId);
  expect((await ask(desk, runId, desk.people.reviewer, decisionFor(desk, then, "approve"))).refusal?.code).toBe("own_edit");
  await command(desk, runId, desk.people.second, decisionFor(desk, then, "approve"));

  return { runId, edited, before: records.length + 1 };
};

const WHOLE = { records: 7, calls: 2 };
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("a runner killed with -9 after an edit was approved", () => {
  it("is tested at every remaining record and call", async () => {
    const { runId, before } = await editedRun();
    await drive(desk, runId);
    const { state, records } = await readRun(desk, runId);
    expect(state.status).toBe("completed");
    const left = records.slice(before).map(({ record }) => record.proposal_kind);
    expect({ records: left.length, calls: left.filter((kind) => kind === "model_call" || kind === "effect_outcome").length }).toEqual(
      WHOLE,
    );
  });

  it.each([
    ...range(WHOLE.records - 1).map((n) => ({ name: `after record ${n}`, afterRecord: n, afterCall: null })),
    ...range(WHOLE.calls).map((n) => ({ name: `after call ${n}, before its outcome is recorded`, afterRecord: null, afterCall: n })),
  ])(
    "$name: calls exactly the edited arguments, once",
    async ({ afterRecord, afterCall }) => {
      const { runId, edited } = await editedRun();
      const table = await customersOf(desk);
      const signal = await runRunner({ desk, runId, leaseMs: LEASE_MS, dieAfterRecord: afterRecord, dieAfterCall: afterCall });
      expect(signal).toBe("SIGKILL");
      await leaseOver(desk, runId);
      await drive(desk, runId);
      const { state } = await readRun(desk, runId);
      expect(state.status).toBe("completed");
      expect((await customersOf(desk)).applied).toBe(table.applied + 1);
      const called = Object.values(state.effects).filter(({ effect }) => effect.tool === "update_plan");
      expect(called.map(({ effect_id: id }) => getKnownValue(findAside(state, `$arguments.${id}`).at(-1)))).toEqual([edited]);
      expect(Object.values(state.gates).map(({ status }) => status)).toEqual(["superseded", "approved"]);
      const ledger = await openLedger(desk.deps.vault, { workspaceId: desk.workspace, runId, version: state.version, digest: state.head });
      expect(await verifyLedger(ledger, await listPublicKeys())).toMatchObject({ ok: true });
    },
    60_000,
  );
});
