import { z } from "zod";
import { hashOfExecuted, getPublished } from "@/lib/engine/forks/fork";
import type { RunState } from "@/lib/engine/state";
import { listNotProved, verifyReplay } from "@/lib/engine/verify/verify-replay";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { createProcedure } from "@/server/trpc/init";
import { openWholeRun } from "@/server/web/open-run";

/** Recomputes every digest, signature, commitment and state. */
export const verifyStoredRun = async (workspaceId: string, runId: string) => {
  const { run, version, ledger } = await openWholeRun(workspaceId, runId);
  const executed = (state: RunState) => hashOfExecuted(version.published, run.graphHash, getPublished(version.published, state));
  const verified = await verifyReplay(ledger, await listPublicKeys(), { executed, shown: run });
  if (!verified.ok) return { ok: false, seq: verified.seq, reason: verified.reason } as const;
  const { records, cellsOpened, cellsHidden, cellsShredded, head, passkeys } = verified;

  return {
    ok: true,
    records,
    cellsOpened,
    cellsHidden,
    cellsShredded,
    head,
    notProved: listNotProved(false, passkeys),
  } as const;
};

export const runsVerifyReplay = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid() }))
  .query(({ ctx, input }) => verifyStoredRun(ctx.workspaceId, input.runId));
