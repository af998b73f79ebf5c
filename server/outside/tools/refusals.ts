import { toRefused } from "@/server/outside/answer";
import type { Caller } from "@/server/outside/caller";
import { recordDenied } from "@/server/outside/denied";
import type { Answer } from "@/server/outside/tool";

/** Refuses expired, foreign and invented sessions alike. */
export const unknownSession = (caller: Caller): Answer =>
  toRefused({ caller, session: null, opened: null }, { error: "not_found", requested: null });

/** Refuses malformed arguments. */
export const malformed = async (caller: Caller): Promise<Answer> => {
  await recordDenied(
    { workspaceId: caller.workspaceId, tokenId: caller.token.id, sessionId: caller.transportSession, signer: caller.signer },
    "request",
  );

  return toRefused({ caller, session: null, opened: null }, { error: "malformed", requested: null });
};

/** Refuses at the session limit. */
export const noSessionLeft = (caller: Caller): Answer =>
  toRefused({ caller, session: null, opened: null }, { error: "token_session_limit", requested: null });
