import { randomUUID } from "node:crypto";
import type { Principal } from "@/lib/engine/principal";
import type { ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { decideRecord, storeRecord, type Decided } from "@/server/runner/commit";
import { query, type Desk } from "@/server/runner/testing/desk";
import { readRun } from "@/server/runner/testing/run";

/** Commits one proposal on an altered state. */
export const commitAs = async (
  desk: Desk,
  runId: string,
  pretend: (state: RunState) => RunState,
  principal: Principal,
  body: ProposalBody,
): Promise<Decided> => {
  const { state } = await readRun(desk, runId);
  const [row] = await query<{ lease_epoch: string }>(desk.urls.admin, "select lease_epoch from run where id = $1", [runId]);
  const epoch = Number(row?.lease_epoch);
  const by = "epoch" in principal ? { ...principal, epoch } : principal;
  const { deps } = desk;

  const decided = decideRecord(
    desk.published,
    pretend(state),
    {
      id: randomUUID(),
      workspace: state.workspace,
      run: runId,
      at: deps.clock.now(),
      principal: by,
      epoch,
      fresh: [randomUUID(), randomUUID()],
      body,
    },
    null,
    deps.signer,
    deps.vault,
  );
  await storeRecord(decided);

  return decided;
};
