import { describeCheck } from "@/lib/checks";
import { readCheckReport } from "@/server/checks/web";
import { createProcedure, router } from "@/server/trpc/init";

const checksReport = createProcedure("installation.read").query(async ({ ctx }) => {
  const { web, runners, workspace } = await readCheckReport(ctx.workspaceId);

  return {
    web: web.map(describeCheck),
    runners: runners.map((checks) => checks.map(describeCheck)),
    workspace: workspace.map(describeCheck),
  };
});

export const checksRouter = router({ report: checksReport });
