import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getRun } from "@/server/store/runs";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "./submit-command";

const input = z.strictObject({ run_id: z.uuid(), reason: z.string().trim().min(1).max(2_000).optional() });

/** Asks the runner to end a run. */
export const runsCancel = procedure("run.cancel")
  .input(input)
  .mutation(async ({ ctx, input: { run_id: runId, reason } }) => {
    if (!(await getRun(ctx.workspaceId, runId))) throw new AppError("not_found");

    return submitCommand({
      workspaceId: ctx.workspaceId,
      userId: ctx.user.id,
      runId,
      body: { kind: "cancel", ...(reason === undefined ? {} : { reason }) },
    });
  });
