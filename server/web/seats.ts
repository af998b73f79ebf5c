import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { listSeats } from "@/lib/people/approver-fold";
import type { Seat } from "@/lib/people/approvers";
import { readAuthority } from "./authority";

/** Lists places in which a person may decide; the runner decides. @param atMs ms since 1970 @throws AppError */
export const listSeatsOf = async (workspaceId: string, userId: string, atMs: number): Promise<readonly Seat[]> => {
  const authority = await readAuthority(workspaceId);

  return listSeats(authority.approvers, listMembersInForce(authority), userId, atMs);
};
