import { z } from "zod";
import { shownTo } from "@/lib/engine/approvals/policy";
import { workflowState } from "@/lib/engine/workflow-state";
import { procedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/opened-run";

const input = z.strictObject({
  run_id: z.uuid(),
  /** At this record; absent: the last. */
  seq: z.number().int().min(0).optional(),
});

/** A run as one flat document, now or at a record, with memory by clearance. */
export const runsState = procedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { run_id: runId, seq } }) => {
    const { run, published, records, state, at } = await replayRun(ctx.workspaceId, runId, shownTo(ctx.role), seq);
    const last = Math.min(seq ?? state.version - 1, state.version - 1);

    return workflowState(
      published,
      records.slice(0, last + 1).map(({ record }) => record),
      at(last),
      run.createdAt,
    );
  });
