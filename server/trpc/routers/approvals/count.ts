import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { countOpenFor } from "@/server/store/approvals/asides";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";

/** Excludes requests set aside; includes versions awaiting this second person. */
export const approvalsCount = createProcedure("approval.read").query(async ({ ctx }) => {
  const role = isAllowed(ctx.role, "approval.decide") ? ctx.role : null;
  const [open, publishing] = await Promise.all([
    countOpenFor({ workspaceId: ctx.workspaceId, userId: ctx.user.id, role, nowMs: systemClock.now() }),
    isAllowed(ctx.role, "graph.publish") ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
  ]);

  return { open, publishing };
});
