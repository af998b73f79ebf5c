import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { testInstallation } from "@/server/mcp/testing/installation";
import { MAX_FORKS } from "@/server/runner/fork";
import { openLedger } from "@/server/runner/load";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { drive, readRun, refusalCodes } from "@/server/runner/testing/run";
import { createRunHead } from "@/server/store/ledger/run-heads";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const NONE = { type: "none" } as const;
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

const waitingRun = async (): Promise<string> => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);

  return run;
};

const verified = async (run: string) => {
  const { state } = await readRun(desk, run);
  const place = { workspaceId: desk.workspace, runId: run, version: state.version, digest: state.head };

  return (await verifyLedger(await openLedger(desk.deps.vault, place), await listPublicKeys())).ok;
};

test("Theodosia: a run has a bounded number of forks, the one too many is an entry of it, and none of them is lost", async () => {
  const parent = await waitingRun();
  const { records } = await readRun(desk, parent);
  const fork = { parentRun: parent, seq: 4, head: records[3]?.digest ?? "", simulated: true };
  const made = {
    workspaceId: desk.workspace,
    graphId: randomUUID(),
    graphHash: desk.graphHash,
    initiatorId: desk.people.starter,
    at: 0,
    fork,
  };
  for (let count = 1; count < MAX_FORKS; count += 1) await createRunHead({ ...made, runId: randomUUID() });

  const last = await forkRun(desk, parent, 4, NONE);
  expect(last.outcome.refusal).toBeNull();
  const before = await readRun(desk, parent);
  const more = await forkRun(desk, parent, 5, NONE);
  const now = await readRun(desk, parent);
  expect(more.outcome.refusal?.code).toBe("fork_limit");
  expect(refusalCodes(now.records.slice(before.records.length))).toEqual(["fork_limit"]);
  expect(now.records.at(-1)?.record).toMatchObject({ proposal_kind: "fork", principal: { id: desk.people.starter } });
  expect(await query(urls.admin, "select 1 from run where id = $1", [more.run])).toEqual([]);

  expect((await forkRun(desk, last.run, 3, NONE)).outcome.refusal?.code).toBe("fork_limit");
  expect((await forkRun(desk, parent, 4, NONE, { run: last.run })).outcome.refusal?.code).toBe("run_exists");
  expect([await verified(parent), await verified(last.run)]).toEqual([true, true]);
  expect((await forkRun(desk, last.run, 5, NONE)).outcome.refusal).toBeNull();
  expect((await forkRun(desk, await waitingRun(), 4, NONE)).outcome.refusal).toBeNull();
});
