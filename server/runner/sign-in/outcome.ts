import type { NewSession, SignInAnswer, SignInRefusal } from "@/lib/people/sign-in";
import type { Env } from "@/server/env";
import type { JoinDeps } from "@/server/runner/membership";
import type { VerifyLogoutToken } from "@/server/runner/sign-in/logout-token";
import type { VerifyIdToken } from "@/server/runner/sign-in/id-token";
import type { RunnerDeps } from "@/server/runner/deps";
import type { Place } from "@/server/runner/sign-in/standing";
import { insertSession } from "@/server/store/people/accounts";

/** `verifyIdToken`: null without an identity provider. */
export type SignInDeps = JoinDeps &
  Pick<RunnerDeps, "vault" | "notify"> & {
    readonly verifyIdToken: VerifyIdToken | null;
    readonly verifyLogoutToken?: VerifyLogoutToken | null;
    readonly newWorkspaces?: Env["COUNTERSIGN_NEW_WORKSPACES"];
  };

export const toRefused = (code: SignInRefusal): SignInAnswer => ({ status: "refused", code });

/** @param provedAtMs ms since 1970; null: unknown */
export const openSession = async (
  { clock }: Pick<SignInDeps, "clock">,
  userId: string,
  { workspaceId, sessionVersion: version }: Place,
  { public_key: publicKey, address, user_agent: userAgent }: NewSession,
  provedAtMs: number | null,
  providerSid: string | null = null,
): Promise<SignInAnswer> => {
  const createdAtMs = clock.now();
  const id = clock.id();
  // The provider's clock may be ahead; a proof is never in the future.
  const proved = provedAtMs === null ? null : Math.min(provedAtMs, createdAtMs);
  await insertSession({ id, userId, workspaceId, publicKey, address, userAgent, createdAtMs, provedAtMs: proved, providerSid });

  return { status: "ok", user: userId, session_version: version, session: id };
};
