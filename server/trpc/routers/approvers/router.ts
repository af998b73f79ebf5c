import { router } from "@/server/trpc/init";
import { delegationsGive, delegationsList, delegationsRevoke } from "./delegations";
import { groupsList, groupsRemove, groupsSet } from "./groups";

export const approversRouter = router({
  groups: router({ list: groupsList, set: groupsSet, remove: groupsRemove }),
  delegations: router({ list: delegationsList, give: delegationsGive, revoke: delegationsRevoke }),
});
