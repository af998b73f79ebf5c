/** Signing in by an OpenID Connect provider that the environment names. */
import type { OAuthConfig } from "next-auth/providers/oauth";
import { AppError } from "@/lib/errors";
import { ownPath } from "@/lib/own-path";
import { systemClock } from "@/server/clock";
import { env } from "@/server/env";
import { createRateLimiter } from "@/server/security/rate-limit";
import { signInWithOidc } from "./oidc-sign-in";

/** Also part of the redirect address that the provider has to know: `/api/auth/callback/oidc`. */
const OIDC_ID = "oidc";

/** next-auth takes an account without an id for a fault of the provider, and says less about it. */
const NOBODY = { id: "nobody", sessionVersion: 0, provedAtMs: null };

/** Each attempt asks the provider something: by address, and many, because a company often has one. */
const attempts = createRateLimiter({ limit: 200, windowMs: 5 * 60_000 }, systemClock);

/**
 * Counts a request that makes us ask the provider.
 * @param path what the request asks for below /api/auth
 * @throws AppError rate_limited
 */
export const guardOidc = (path: readonly string[], address: string): void => {
  if (path[1] === OIDC_ID && !attempts.take(address)) throw new AppError("rate_limited");
};

/** What the sign-in page calls the provider; null when the environment names none. */
export const oidcName = (): string | null => {
  const { OIDC_ISSUER: issuer, OIDC_NAME: name } = env();

  return issuer === undefined ? null : (name ?? new URL(issuer).host);
};

/**
 * The provider for next-auth, or none. It is asked for a code, with PKCE, state and nonce; who comes with it is read from
 * the ID token. Who may not come in is `NOBODY`, whom `isAdmitted` turns away.
 */
export const oidcProviders = (): readonly OAuthConfig<unknown>[] => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ALLOWED_DOMAINS: allowedDomains } = env();
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return [];

  return [
    {
      id: OIDC_ID,
      name: oidcName() ?? OIDC_ID,
      type: "oauth",
      wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      issuer,
      clientId,
      clientSecret,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid email profile" } },
      httpOptions: { timeout: 10_000 },
      profile: async (profile) => {
        const outcome = await signInWithOidc(profile, { issuer, allowedDomains });
        if (outcome.status === "denied") return NOBODY;
        const { userId, sessionVersion } = outcome.claims;

        return { id: userId, sessionVersion, provedAtMs: outcome.provedAtMs };
      },
    },
  ];
};

/** Whether somebody was let in, for next-auth's `signIn`: it asks before there is a session. */
export const isAdmitted = ({ id }: { readonly id: string }): boolean => id !== NOBODY.id;

/** Where somebody lands after signing in: on a page of ours, whatever their browser asked for. */
export const landingUrl = (wanted: string, baseUrl: string): string => {
  const url = URL.parse(wanted, baseUrl);

  return url?.origin === new URL(baseUrl).origin ? new URL(ownPath(url.pathname), baseUrl).href : baseUrl;
};
