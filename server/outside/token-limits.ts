import { formatAbsoluteTime } from "@/lib/format";
import {
  DEFAULT_TOKEN_LIMITS,
  findRoomAt,
  toUsed,
  TOKEN_LIMIT_CODES,
  type TokenLimitCode,
  type TokenLimits,
  type TokenUse,
} from "@/lib/outside/token-limits";
import { REFUSALS } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import { useOfToken } from "@/server/store/agents/token-use";
import type { Caller } from "./caller";
import type { Answer } from "./tool";

export const getLimits = ({ limits }: { readonly limits: TokenLimits | null }): TokenLimits => limits ?? DEFAULT_TOKEN_LIMITS;

const useOf = ({ workspaceId, token }: Caller): Promise<TokenUse> => useOfToken(workspaceId, token.id, systemClock.now());

/** Returns why the token may not start a run, to ask before anything is given up. */
export const findRunObjection = async (caller: Caller): Promise<TokenLimitCode | null> => {
  const used = toUsed(await useOf(caller));
  const full = (["runs", "micro_usd"] as const).find((limit) => used[limit] >= getLimits(caller.token)[limit]);

  return full ? TOKEN_LIMIT_CODES[full] : null;
};

const limitNamed = (code: unknown): keyof TokenLimits | null =>
  (["runs", "sessions", "micro_usd"] as const).find((limit) => TOKEN_LIMIT_CODES[limit] === code) ?? null;

/** Explains a limit and when it has room. */
export const limitSentence = async (caller: Caller, limit: keyof TokenLimits): Promise<{ message: string; room_at: string | null }> => {
  const { message } = REFUSALS[TOKEN_LIMIT_CODES[limit]];
  const at = findRoomAt((await useOf(caller))[limit], getLimits(caller.token)[limit]);

  return at === null
    ? { message, room_at: null }
    : { message: `${message} There is room again at ${formatAbsoluteTime(at)}.`, room_at: new Date(at).toISOString() };
};

/** Adds the time of new room to a limit's refusal. */
export const withRoom = async (caller: Caller, answer: Answer): Promise<Answer> => {
  const { error, error_type: cause } = answer.payload;
  const limit = limitNamed(error) ?? limitNamed(cause);

  return limit === null ? answer : { ...answer, payload: { ...answer.payload, ...(await limitSentence(caller, limit)) } };
};
