import { countOpenApprovals } from "@/server/store/approvals/approvals";
import { isAllowed } from "@/lib/roles";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";

/** Includes versions awaiting this second person. */
export const approvalsCount = createProcedure("approval.read").query(async ({ ctx }) => {
  const [open, publishing] = await Promise.all([
    countOpenApprovals(ctx.workspaceId),
    isAllowed(ctx.role, "graph.publish") ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
  ]);

  return { open, publishing };
});
