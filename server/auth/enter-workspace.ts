import { AppError } from "@/lib/errors";
import { entrySchema } from "@/lib/people/sign-in";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { askToEnter } from "@/server/web/ask-sign-in";
import type { SignInOutcome } from "./begin-session";
import type { SessionClaims } from "./session";
import type { Visit } from "./visit";

const byAccount = createRateLimiter({ limit: 60, windowMs: 5 * 60_000 }, systemClock);

const parseEntry = (text: unknown) => {
  try {
    return entrySchema.safeParse(JSON.parse(String(text))).data;
  } catch {
    return undefined;
  }
};

/** @param entry as JSON */
export const enterWorkspace = async (
  claims: SessionClaims | null,
  entry: unknown,
  { address, userAgent }: Visit,
): Promise<SignInOutcome> => {
  const into = parseEntry(entry);
  if (claims === null || into === undefined) return { status: "denied" };
  if (!byAccount.take(claims.userId)) return { status: "rate_limited" };
  const sessionKey = generateSessionSeed();
  const opening = { public_key: getPublicKey(sessionKey), address, user_agent: userAgent };
  try {
    const opened = await askToEnter(claims.userId, { id: claims.sessionId, key: claims.sessionKey }, into, opening);

    return typeof opened === "string" ? { status: opened } : { status: "ok", claims: { ...opened, sessionKey } };
  } catch (error) {
    if (error instanceof AppError && error.code === "runner_silent") throw new Error("unreachable", { cause: error });
    throw error;
  }
};
