/** Signing in by an OpenID Connect provider that the environment names. */
import type { OAuthConfig } from "next-auth/providers/oauth";
import { AppError } from "@/lib/errors";
import { ownPath } from "@/lib/own-path";
import type { SignInRefusal } from "@/lib/people/sign-in";
import { systemClock } from "@/server/clock";
import { env } from "@/server/env";
import { createRateLimiter } from "@/server/security/rate-limit";
import { beginSession } from "./begin-session";
import type { Rules } from "./oidc-claims";
import { linkOidc } from "./oidc-link";
import type { SignedIn } from "./signed-in";
import type { Visit } from "./visit";

/** Also part of the redirect address that the provider has to know: `/api/auth/callback/oidc`. */
const OIDC_ID = "oidc";

/** The sign-in page, which says that an account's rows are not what the signed records say. */
export const MISMATCH_PATH = "/sign-in?error=AuthorityMismatch";

/** Where somebody is led who is not signed in by what the provider said; null: the sign-in page, which says no more than that. */
type Instead =
  | "/sign-in?error=LinkFirst"
  | typeof MISMATCH_PATH
  | "/settings?identity=linked"
  | "/settings?identity=refused"
  | "/settings?identity=known"
  | null;

/** next-auth takes an account without an id for a fault of the provider, and says less about it. */
const nobody = (instead: Instead = null) => ({ id: "nobody", sessionVersion: 0, sessionId: "", sessionKey: "", instead });

const LINKED_AT = {
  linked: "/settings?identity=linked",
  refused: "/settings?identity=refused",
  identity_known: "/settings?identity=known",
} as const satisfies Record<string, Instead>;

const DENIED_AT: Readonly<Partial<Record<SignInRefusal, Instead>>> = {
  email_known: "/sign-in?error=LinkFirst",
  authority_mismatch: MISMATCH_PATH,
};

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

/** What the provider says: the claims that next-auth has read, and the token that they are from. */
type Named = { readonly profile: unknown; readonly idToken: string | undefined };

/** Whom next-auth gets for what the provider said. */
const accountOf = async ({ profile, idToken }: Named, visit: Visit, rules: Rules, signedIn: () => Promise<SignedIn | null>) => {
  const link = await linkOidc(profile, rules, await signedIn());
  if (link?.status === "linked") return nobody(LINKED_AT.linked);
  if (link) return nobody(link.code === "identity_known" ? LINKED_AT.identity_known : LINKED_AT.refused);
  const outcome = await beginSession({ type: "identity", token: idToken ?? "" }, visit);
  if (outcome.status !== "ok") return nobody(DENIED_AT[outcome.status] ?? null);
  const { userId: id, ...session } = outcome.claims;

  return { id, ...session };
};

/**
 * The provider for next-auth, or none. It is asked for a code, with PKCE, state and nonce; who comes with it is read from
 * the ID token. Who is not signed in by it is `nobody`, whom `admissionOf` turns away.
 * @param visit where the answer of the provider comes from
 * @param signedIn who is signed in where the answer of the provider arrives
 */
export const oidcProviders = (visit: Visit, signedIn: () => Promise<SignedIn | null>): readonly OAuthConfig<unknown>[] => {
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
      profile: (profile, { id_token: idToken }) => accountOf({ profile, idToken }, visit, { issuer, allowedDomains }, signedIn),
    },
  ];
};

/** Whether somebody is let in, for next-auth's `signIn`, which asks before there is a session; or where they go instead. */
export const admissionOf = ({ id, instead }: { readonly id: string; readonly instead?: string | null }): boolean | string =>
  id !== nobody().id || (instead ?? false);

/** Where somebody lands after signing in: on a page of ours, whatever their browser asked for. */
export const landingUrl = (wanted: string, baseUrl: string): string => {
  const url = URL.parse(wanted, baseUrl);

  return url?.origin === new URL(baseUrl).origin ? new URL(ownPath(url.pathname), baseUrl).href : baseUrl;
};
