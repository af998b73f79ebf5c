import { router } from "@/server/trpc/init";
import { delegationsGive, delegationsList, delegationsRevoke } from "./delegations";
import { groupsList, groupsRemove, groupsSet } from "./groups";
import { rulesAdd, rulesConfirmRemoval, rulesDeclineRemoval, rulesList, rulesRemove } from "./rules";

export const approversRouter = router({
  groups: router({ list: groupsList, set: groupsSet, remove: groupsRemove }),
  rules: router({
    list: rulesList,
    add: rulesAdd,
    remove: rulesRemove,
    confirmRemoval: rulesConfirmRemoval,
    declineRemoval: rulesDeclineRemoval,
  }),
  delegations: router({ list: delegationsList, give: delegationsGive, revoke: delegationsRevoke }),
});
