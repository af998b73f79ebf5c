import { z } from "zod";
import { shownTo } from "@/lib/engine/policy";
import { workflowState } from "@/lib/engine/workflow-state";
import { procedure } from "@/server/trpc/init";
import { replayRun } from "@/server/web/opened-run";

/** A run as one flat document. Of memory, what the reader may see. */
export const runsState = procedure("run.read")
  .input(z.strictObject({ run_id: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const { run, published, records, state } = await replayRun(ctx.workspaceId, input.run_id, shownTo(ctx.role));

    return workflowState(
      published,
      records.map(({ record }) => record),
      state,
      run.createdAt,
    );
  });
