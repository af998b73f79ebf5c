import { isAllowed, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { countOpenFor } from "@/server/store/approvals/asides";
import { countPublishRequestsFor } from "@/server/store/graphs/publish-requests";
import { listSeatsOf } from "./seats";

type Reader = { readonly workspaceId: string; readonly userId: string; readonly role: Role };

/** Excludes requests set aside; includes versions awaiting this second person. */
export const countWaitingFor = async ({ workspaceId, userId, role }: Reader) => {
  const decides = isAllowed(role, "approval.decide");
  const nowMs = systemClock.now();
  const seats = decides ? await listSeatsOf(workspaceId, userId, nowMs) : [];
  const [open, publishing] = await Promise.all([
    countOpenFor({ workspaceId, userId, role: decides ? role : null, seats, nowMs }),
    isAllowed(role, "graph.publish") ? countPublishRequestsFor(workspaceId, userId) : 0,
  ]);

  return { open, publishing };
};
