/** Refusals that do not depend on any run: they say nothing about what there is. */
import { refused } from "@/server/outside/answer";
import type { Caller } from "@/server/outside/caller";
import { recordDenied } from "@/server/outside/denied";
import type { Answer } from "@/server/outside/tool";

/** A session that is over, somebody else's or made up: they are answered alike. It was recorded when it was looked for. */
export const unknownSession = (caller: Caller): Answer =>
  refused({ caller, session: null, opened: null }, { error: "not_found", requested: null });

/** Arguments that are not of the tool's form. */
export const malformed = async (caller: Caller): Promise<Answer> => {
  await recordDenied(
    { workspaceId: caller.workspaceId, tokenId: caller.token.id, sessionId: caller.transportSession, signer: caller.signer },
    "request",
  );

  return refused({ caller, session: null, opened: null }, { error: "malformed", requested: null });
};

/** The token may open no further session now. */
export const noSessionLeft = (caller: Caller): Answer =>
  refused({ caller, session: null, opened: null }, { error: "token_session_limit", requested: null });
