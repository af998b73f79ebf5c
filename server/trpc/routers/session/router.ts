import { router } from "@/server/trpc/init";
import { sessionChangePassword } from "./change-password";
import { sessionCurrent } from "./current";
import { sessionEnd } from "./end";
import { sessionTrustAnchor } from "./trust-anchor";
import { sessionProof } from "./proof";
import { sessionProve } from "./prove";
import { sessionSessions } from "./sessions";

export const sessionRouter = router({
  current: sessionCurrent,
  trustAnchor: sessionTrustAnchor,
  proof: sessionProof,
  prove: sessionProve,
  sessions: sessionSessions,
  end: sessionEnd,
  changePassword: sessionChangePassword,
});
