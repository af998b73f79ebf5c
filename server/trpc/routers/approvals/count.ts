import { countOpenApprovals } from "@/server/store/approvals/approvals";
import { may } from "@/lib/roles";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { procedure } from "@/server/trpc/init";

/** How many approvals are open, and how many versions wait for this person as the second one. */
export const approvalsCount = procedure("approval.read").query(async ({ ctx }) => {
  const [open, publishing] = await Promise.all([
    countOpenApprovals(ctx.workspaceId),
    may(ctx.role, "graph.publish") ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
  ]);

  return { open, publishing };
});
