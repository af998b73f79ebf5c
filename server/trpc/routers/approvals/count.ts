import { countOpenApprovals } from "@/server/store/approvals/approvals";
import { may } from "@/lib/roles";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { procedure } from "@/server/trpc/init";

/** Counts open approvals, and versions awaiting this second person. */
export const approvalsCount = procedure("approval.read").query(async ({ ctx }) => {
  const [open, publishing] = await Promise.all([
    countOpenApprovals(ctx.workspaceId),
    may(ctx.role, "graph.publish") ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
  ]);

  return { open, publishing };
});
