import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { KnownApprovers } from "@/lib/graph/facts/facts";
import { isDecider } from "@/lib/people/approver-fold";

/** Lists whom a graph can name. @param names for the screen */
export const listNameable = (authority: WorkspaceAuthority, names: Readonly<Record<string, string>> = {}): KnownApprovers => {
  const members = listMembersInForce(authority);

  return {
    groups: [...authority.approvers.groups].map(([name, people]) => ({ name, people })),
    deciders: [...members.keys()].filter((id) => isDecider(members, id)).map((id) => ({ id, name: names[id] ?? "" })),
  };
};
