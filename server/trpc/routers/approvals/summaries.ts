import { z } from "zod";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { getGateClearance } from "@/lib/engine/approvals/policy";
import { AppError } from "@/lib/errors";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { replayWhole, type Replayed } from "@/server/web/open-run";
import { explainBar } from "./can-decide";
import { sealedTo } from "./sealed";

const MAX_IDS = 30;

const openRun = async (workspaceId: string, runId: string): Promise<Replayed | null> => {
  try {
    return await replayWhole(workspaceId, runId);
  } catch (error) {
    if (error instanceof AppError && (error.code === "refused" || error.code === "not_found")) return null;
    throw error;
  }
};

/** Returns requests' sentences as far as the reader may know them, without unknown requests and frozen runs. */
export const approvalsSummaries = createProcedure("approval.read")
  .input(z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_IDS) }))
  .query(async ({ ctx, input }) => {
    const approvals = (await Promise.all(input.ids.map((id) => getApproval(ctx.workspaceId, id)))).flatMap((row) => row ?? []);
    const clearance = getGateClearance(ctx);
    const opened = new Map<string, Replayed | null>();
    // In sequence: a page must not delay other requests.
    for (const { runId } of approvals) {
      if (!opened.has(runId)) opened.set(runId, await openRun(ctx.workspaceId, runId));
    }

    return approvals.flatMap(({ id, runId }) => {
      const found = opened.get(runId);
      const gateState = found?.state.gates[id];
      if (!found || !gateState) return [];
      const sealed = sealedTo(gateState, found.records, ctx.user.id, found.sealed);
      const { summary, signals, needs } = buildApprovalView(found.published, found.state, gateState, clearance, sealed);

      return [
        {
          id,
          summary,
          signals,
          rules: needs?.rules ?? [],
          barred: explainBar(found.state, gateState, { id: ctx.user.id, role: ctx.role }),
        },
      ];
    });
  });
