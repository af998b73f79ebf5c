/** What comes of a request to sign somebody in: a session in the database, or why there is none. */
import type { NewSession, SignInAnswer, SignInRefusal } from "@/lib/people/sign-in";
import type { JoinDeps } from "@/server/runner/membership";
import type { VerifyIdToken } from "@/server/runner/sign-in/id-token";
import type { RunnerDeps } from "@/server/runner/deps";
import { insertSession, type Account } from "@/server/store/people/accounts";

/** `verifyIdToken`: null where the environment names no identity provider. */
export type SignInDeps = JoinDeps & Pick<RunnerDeps, "vault" | "notify"> & { readonly verifyIdToken: VerifyIdToken | null };

export const refused = (code: SignInRefusal): SignInAnswer => ({ status: "refused", code });

/**
 * Opens a session for somebody who has just signed in.
 * @param provedAtMs when they proved who they are, in ms since 1970; null when that is not known
 */
export const openSession = async (
  { clock }: Pick<SignInDeps, "clock">,
  { id: userId, session_version: version }: Pick<Account, "id" | "session_version">,
  { public_key: publicKey, address, user_agent: userAgent }: NewSession,
  provedAtMs: number | null,
): Promise<SignInAnswer> => {
  const createdAtMs = clock.now();
  const id = clock.id();
  // Another party's clock may be ahead of ours: nobody has proved anything later than now.
  const proved = provedAtMs === null ? null : Math.min(provedAtMs, createdAtMs);
  await insertSession({ id, userId, publicKey, address, userAgent, createdAtMs, provedAtMs: proved });

  return { status: "ok", user: userId, session_version: version, session: id };
};
