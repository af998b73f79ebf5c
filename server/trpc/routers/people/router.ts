import { router } from "@/server/trpc/init";
import { peopleChange } from "./change";
import { peopleEndSessions } from "./end-sessions";
import { peopleInvite } from "./invite";
import { peopleList } from "./list";
import { peopleSessions } from "./sessions";
import { peopleSetDisabled } from "./set-disabled";
import { peopleUnlinkIdentity } from "./unlink-identity";
import { peopleWithdraw } from "./withdraw";

export const peopleRouter = router({
  list: peopleList,
  sessions: peopleSessions,
  invite: peopleInvite,
  withdraw: peopleWithdraw,
  change: peopleChange,
  setDisabled: peopleSetDisabled,
  endSessions: peopleEndSessions,
  unlinkIdentity: peopleUnlinkIdentity,
});
