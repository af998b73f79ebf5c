import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { listSeats } from "@/lib/people/approver-fold";
import type { Seat } from "@/lib/people/approvers";
import type { RunnerDeps } from "@/server/runner/deps";

/** Returns a person's places by the signed records. @throws AuthorityUnverified */
export const readSeats = async (
  { authority, clock }: Pick<RunnerDeps, "authority" | "clock">,
  workspaceId: string,
  user: string,
): Promise<readonly Seat[]> => {
  const inForce = await authority.read(workspaceId);

  return listSeats(inForce.approvers, listMembersInForce(inForce), user, clock.now());
};
