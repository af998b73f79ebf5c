import { randomUUID } from "node:crypto";
import { decideCommands } from "@/server/runner/commands";
import { openRun } from "@/server/runner/open-run";
import { startRun, type Desk } from "@/server/runner/testing/desk";
import { createRunHead, releaseLease } from "@/server/store/ledger/run-heads";

export const emptyRun = async (desk: Desk): Promise<string> => {
  const runId = randomUUID();
  await createRunHead({
    workspaceId: desk.workspace,
    runId,
    graphId: randomUUID(),
    graphHash: desk.graphHash,
    initiatorId: desk.people.starter,
    at: Date.now(),
  });

  return runId;
};

export const recordedRun = async (desk: Desk): Promise<string> => {
  const runId = await startRun(desk, "honest", "02-outage-credit.txt");
  const opened = await openRun(desk.deps, desk.workspace, runId);
  if (!opened) throw new Error("the run was not opened");
  await decideCommands(desk.deps, opened.session);
  opened.lease.end();
  await releaseLease(desk.workspace, runId, opened.session.epoch);

  return runId;
};
