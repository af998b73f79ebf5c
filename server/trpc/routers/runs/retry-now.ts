import { z } from "zod";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

/** Ends a wait before the next attempt. */
export const runsRetryNow = createProcedure("run.start")
  .input(z.strictObject({ runId: z.uuid() }))
  .mutation(async ({ ctx, input: { runId } }) => {
    const command: Submission = { workspaceId: ctx.workspaceId, author: ctx.author, runId, body: { kind: "retry_now" } };

    return (await getRun(ctx.workspaceId, runId)) ? submitCommand(command) : refuseAttempt(command);
  });
