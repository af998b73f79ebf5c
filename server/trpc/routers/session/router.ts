import { router } from "@/server/trpc/init";
import { sessionChangePassword } from "./change-password";
import { sessionCurrent } from "./current";
import { sessionEnd } from "./end";
import { sessionIdentity } from "./identity";
import { sessionLinkIdentity } from "./link-identity";
import { sessionTrustAnchor } from "./trust-anchor";
import { sessionProof } from "./proof";
import { sessionProve } from "./prove";
import { sessionSessions } from "./sessions";
import { sessionLeave } from "./leave";
import { sessionWorkspaces } from "./workspaces";
import { sessionUnlinkIdentity } from "./unlink-identity";

export const sessionRouter = router({
  current: sessionCurrent,
  trustAnchor: sessionTrustAnchor,
  proof: sessionProof,
  prove: sessionProve,
  sessions: sessionSessions,
  end: sessionEnd,
  changePassword: sessionChangePassword,
  workspaces: sessionWorkspaces,
  leave: sessionLeave,
  identity: sessionIdentity,
  linkIdentity: sessionLinkIdentity,
  unlinkIdentity: sessionUnlinkIdentity,
});
