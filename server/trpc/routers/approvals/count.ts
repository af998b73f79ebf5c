import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { countOpenFor } from "@/server/store/approvals/asides";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";
import { listAnswerable } from "@/server/web/promotion";
import { listSeatsOf } from "@/server/web/seats";

/** Excludes requests set aside; `publishing`: versions and promotions awaiting this second person. */
export const approvalsCount = createProcedure("approval.read").query(async ({ ctx }) => {
  const role = isAllowed(ctx.role, "approval.decide") ? ctx.role : null;
  const nowMs = systemClock.now();
  const seats = role === null ? [] : await listSeatsOf(ctx.workspaceId, ctx.user.id, nowMs);
  const isPublisher = isAllowed(ctx.role, "graph.publish");
  const [open, versions, promotions] = await Promise.all([
    countOpenFor({ workspaceId: ctx.workspaceId, userId: ctx.user.id, role, seats, nowMs }),
    isPublisher ? countPublishRequestsFor(ctx.workspaceId, ctx.user.id) : 0,
    isPublisher ? listAnswerable(ctx.workspaceId, ctx.user.id) : [],
  ]);

  return { open, publishing: versions + promotions.length };
});
