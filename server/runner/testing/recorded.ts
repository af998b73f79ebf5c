import { randomUUID } from "node:crypto";
import { decideCommands } from "@/server/runner/commands";
import { openRun } from "@/server/runner/open-run";
import { query, startRun, type Desk } from "@/server/runner/testing/desk";
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

/** `work` reads the run's row as of before its last record. */
export const whileMoving = async <T>({ urls }: Pick<Desk, "urls">, runId: string, work: () => Promise<T>): Promise<T> => {
  const move = (by: number) =>
    query(
      urls.admin,
      `update run r set version = l.seq + 1, head = l.digest from ledger_record l
       where r.id = $1 and l.run_id = r.id and l.seq = r.version - 1 + $2 returning r.id`,
      [runId, by],
    );
  await move(-1);
  try {
    return await work();
  } finally {
    await move(1);
  }
};
