import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { countOpenFor } from "@/server/store/approvals/asides";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";
import { listSeatsOf } from "@/server/web/seats";

/** Excludes requests set aside; includes versions awaiting this second person. */
export const approvalsCount = createProcedure("approval.read").query(async ({ ctx }) => {
  const role = isAllowed(ctx.role, "approval.decide") ? ctx.role : null;
  const nowMs = systemClock.now();
  const seats = role === null ? [] : await listSeatsOf(ctx.workspaceId, ctx.user.id, nowMs);
  const [open, publishing] = await Promise.all([
    countOpenFor({ workspaceId: ctx.workspaceId, userId: ctx.user.id, role, seats, nowMs }),
    isAllowed(ctx.role, "graph.publish") ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
  ]);

  return { open, publishing };
});
