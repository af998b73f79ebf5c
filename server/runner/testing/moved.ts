import { randomUUID } from "node:crypto";
import type { Principal } from "@/lib/engine/principal";
import { decide } from "@/lib/engine/decide";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { signRecord, storeRecord, type Decided } from "@/server/runner/commit";
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

  const [before, { published }] = [pretend(state), desk];
  const proposal: Proposal = {
    id: randomUUID(),
    workspace: state.workspace,
    run: runId,
    at: deps.clock.now(),
    principal: by,
    epoch,
    fresh: [randomUUID(), randomUUID()],
    body,
  };
  const { signer, vault } = deps;
  const decided = signRecord(before, proposal, decide(published, before, proposal), { published, command: null, signer, vault });
  await storeRecord(decided);

  return decided;
};
