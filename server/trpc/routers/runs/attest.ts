import { z } from "zod";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { checkExportSize } from "@/server/web/export-run";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Signs a run's head, against truncation of its export. */
export const runsAttest = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid() }))
  .mutation(async ({ ctx, input: { runId: run } }) => {
    const { workspaceId, author } = ctx;
    if (!(await getRun(workspaceId, run))) {
      return refuseAttempt({ workspaceId, author, runId: run, body: { kind: "read", what: "run" } });
    }
    await checkExportSize(workspaceId, run);

    return submitToWorkspace(ctx, { kind: "attest", run });
  });
