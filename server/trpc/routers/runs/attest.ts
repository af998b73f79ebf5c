import { z } from "zod";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getRun } from "@/server/store/runs/runs";
import { procedure } from "@/server/trpc/init";
import { checkExportSize } from "@/server/web/export-run";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand } from "@/server/web/submit-command";

/** Has the runner sign a run's head, which protects its export from truncation. @returns `record`: the last one included */
export const runsAttest = procedure("run.read")
  .input(z.strictObject({ run_id: z.uuid() }))
  .mutation(async ({ ctx, input: { run_id: run } }) => {
    const { workspaceId, author } = ctx;
    if (!(await getRun(workspaceId, run))) {
      return refuseAttempt({ workspaceId, author, runId: run, body: { kind: "read", what: "run" } });
    }
    await checkExportSize(workspaceId, run);
    const body = { kind: "attest", run } as const;
    const { seq: record } = await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body });

    return { record };
  });
