import { z } from "zod";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { buildWorkflowState } from "@/lib/engine/workflow-state";
import type { Classification } from "@/lib/graph/label";
import { createProcedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/open-run";

const input = z.strictObject({
  runId: z.uuid(),
  /** Default: the last record. */
  seq: z.number().int().min(0).optional(),
});

/** One flat document, with memory by clearance. */
export const readState = async (workspaceId: string, runId: string, clearance: Classification, seq?: number) => {
  const { run, published, records, state, at } = await replayRun(workspaceId, runId, clearance, seq);
  const last = Math.min(seq ?? state.version - 1, state.version - 1);

  return buildWorkflowState(
    published,
    records.slice(0, last + 1).map(({ record }) => record),
    at(last),
    run.createdAt,
  );
};

export const runsState = createProcedure("run.read")
  .input(input)
  .query(({ ctx, input: { runId, seq } }) => readState(ctx.workspaceId, runId, getShownTo(ctx.role), seq));
