import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { revokeSession } from "@/server/store/people/sessions";
import { findMember } from "@/server/store/people/users";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { submitCommand } from "@/server/web/submit-command";
import type { SessionClaims } from "./session";

/** Ends a session on record, so that its row cannot be reset; if the runner is silent, only its row. */
export const signOut = async ({ userId, sessionId, sessionKey }: SessionClaims): Promise<void> => {
  const member = await findMember(userId, sessionId);
  if (member === null) return;
  const workspaceId = member.workspace.id;
  try {
    await submitCommand({
      workspaceId,
      author: { type: "user", id: userId, session: { id: sessionId, key: sessionKey } },
      runId: getWorkspaceLedgerId(workspaceId),
      body: { kind: "people_sign_out", user: userId, session: sessionId, keep: null },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await revokeSession(userId, sessionId, new Date(systemClock.now()));
  }
};
