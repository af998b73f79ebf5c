import type { OAuthConfig } from "next-auth/providers/oauth";
import { AppError } from "@/lib/errors";
import { ownPath } from "@/lib/own-path";
import type { SignInRefusal } from "@/lib/people/sign-in";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { createRateLimiter } from "@/server/security/rate-limit";
import { beginSession } from "./begin-session";
import type { Rules } from "./oidc-claims";
import { linkOidc } from "./oidc-link";
import type { SignedIn } from "./signed-in";
import type { Visit } from "./visit";

/** Registered at the provider: `/api/auth/callback/oidc`. */
const OIDC_ID = "oidc";

export const MISMATCH_PATH = "/sign-in?error=AuthorityMismatch";

type Instead =
  | "/sign-in?error=LinkFirst"
  | typeof MISMATCH_PATH
  | "/settings?identity=linked"
  | "/settings?identity=refused"
  | "/settings?identity=known"
  | null;

/** Without an id, next-auth would report a provider fault. */
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

/** Generous, because companies share an address. */
const attempts = createRateLimiter({ limit: 200, windowMs: 5 * 60_000 }, systemClock);

export const guardOidc = (path: readonly string[], address: string): void => {
  if (path[1] === OIDC_ID && !attempts.take(address)) throw new AppError("rate_limited");
};

export const getOidcName = (): string | null => {
  const { OIDC_ISSUER: issuer, OIDC_NAME: name } = readEnv();

  return issuer === undefined ? null : (name ?? new URL(issuer).host);
};

/** In the cookie. */
const MOST_KEPT = 2_000;

type Named = { readonly profile: unknown; readonly idToken: string | undefined };

const accountOf = async ({ profile, idToken }: Named, visit: Visit, rules: Rules, signedIn: () => Promise<SignedIn | null>) => {
  const link = await linkOidc(profile, rules, await signedIn());
  if (link?.status === "linked") return nobody(LINKED_AT.linked);
  if (link) return nobody(link.code === "identity_known" ? LINKED_AT.identity_known : LINKED_AT.refused);
  const outcome = await beginSession({ type: "identity", token: idToken ?? "" }, visit);
  if (outcome.status !== "ok") return nobody(DENIED_AT[outcome.status] ?? null);
  const { userId: id, ...session } = outcome.claims;

  return { id, ...session, providerToken: idToken !== undefined && idToken.length <= MOST_KEPT ? idToken : "" };
};

/**
 * Lists next-auth's provider: code flow with PKCE, state and nonce. `toAdmission` rejects `nobody`.
 * @param signedIn at the callback
 */
export const listOidcProviders = (visit: Visit, signedIn: () => Promise<SignedIn | null>): readonly OAuthConfig<unknown>[] => {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ALLOWED_DOMAINS: allowedDomains,
    OIDC_SCOPES: scope,
  } = readEnv();
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return [];

  return [
    {
      id: OIDC_ID,
      name: getOidcName() ?? OIDC_ID,
      type: "oauth",
      wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      issuer,
      clientId,
      clientSecret,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope } },
      httpOptions: { timeout: 10_000 },
      profile: (profile, { id_token: idToken }) => accountOf({ profile, idToken }, visit, { issuer, allowedDomains }, signedIn),
    },
  ];
};

export const toAdmission = ({ id, instead }: { readonly id: string; readonly instead?: string | null }): boolean | string =>
  id !== nobody().id || (instead ?? false);

export const resolveLandingUrl = (wanted: string, baseUrl: string): string => {
  const url = URL.parse(wanted, baseUrl);

  return url?.origin === new URL(baseUrl).origin ? new URL(ownPath(url.pathname), baseUrl).href : baseUrl;
};
