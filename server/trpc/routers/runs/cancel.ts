import { z } from "zod";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

const input = z.strictObject({ runId: z.uuid(), reason: z.string().trim().min(1).max(2_000).optional() });

export const runsCancel = createProcedure("run.cancel")
  .input(input)
  .mutation(async ({ ctx, input: { runId, reason } }) => {
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId,
      body: { kind: "cancel", ...(reason === undefined ? {} : { reason }) },
    };

    return (await getRun(ctx.workspaceId, runId)) ? submitCommand(command) : refuseAttempt(command);
  });
