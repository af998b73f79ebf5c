import { isAllowed, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { countOpenFor } from "@/server/store/approvals/asides";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { listAnswerable } from "./promotion";
import { listSeatsOf } from "./seats";

type Reader = { readonly workspaceId: string; readonly userId: string; readonly role: Role };

/** Excludes requests set aside; `publishing`: versions and promotions awaiting this second person. */
export const countWaitingFor = async ({ workspaceId, userId, role }: Reader) => {
  const decides = isAllowed(role, "approval.decide");
  const nowMs = systemClock.now();
  const seats = decides ? await listSeatsOf(workspaceId, userId, nowMs) : [];
  const publishes = isAllowed(role, "graph.publish");
  const [open, versions, promotions] = await Promise.all([
    countOpenFor({ workspaceId, userId, role: decides ? role : null, seats, nowMs }),
    publishes ? countPublishRequestsFor(workspaceId, userId) : 0,
    publishes ? listAnswerable(workspaceId, userId) : [],
  ]);

  return { open, publishing: versions + promotions.length };
};
