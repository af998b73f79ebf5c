import "server-only";
import { getServerSession, type AuthOptions } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { after } from "next/server";
import Credentials from "next-auth/providers/credentials";
import { getClientAddress } from "@/server/auth/client-address";
import { signInAsDemo } from "@/server/auth/demo-sign-in";
import { toAdmission, resolveLandingUrl, listOidcProviders } from "@/server/auth/oidc";
import type { SignInOutcome } from "@/server/auth/begin-session";
import { enterWorkspace } from "@/server/auth/enter-workspace";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { findSignedIn, type SessionClaims } from "@/server/auth/session";
import { SESSION_LIFE_MS } from "@/server/store/people/sessions";
import { toClaims, getSessionCookie, toSession, toShownSession } from "@/server/auth/session-cookie";
import { signOut } from "@/server/auth/sign-out";
import type { Visit } from "@/server/auth/visit";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { ownOrigin } from "@/server/own-origin";

const NOWHERE: Visit = { address: "unknown", userAgent: "" };

// next-auth adds its own fields (csrfToken, json, …).
const pick = (credentials: Record<string, string> | undefined, keys: readonly string[]) =>
  Object.fromEntries(keys.flatMap((key) => (credentials?.[key] === undefined ? [] : [[key, credentials[key]]])));

/** A thrown message becomes the answer's `error`; null the generic one. */
const answer = (outcome: SignInOutcome) => {
  if (outcome.status === "denied") return null;
  if (outcome.status !== "ok") throw new Error(outcome.status);

  const { userId: id, ...session } = outcome.claims;

  return { id, ...session };
};

const headerOf = (headers: unknown, name: string): string | null => {
  const value: unknown = typeof headers === "object" && headers !== null ? Reflect.get(headers, name) : null;

  return typeof value === "string" ? value : null;
};

/** Builds options on use, because page builds have no secret. */
export const buildAuthOptions = (visit: Visit = NOWHERE): AuthOptions => {
  const { NEXTAUTH_SECRET: secret, NEXTAUTH_URL: url } = readEnv();
  if (!secret) throw new Error("NEXTAUTH_SECRET is not set");
  const isSecure = url?.startsWith("https://") ?? false;

  return {
    secret,
    useSecureCookies: isSecure,
    session: { strategy: "jwt", maxAge: SESSION_LIFE_MS / 1_000 },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    cookies: { sessionToken: getSessionCookie() },
    logger: {
      // Metadata can hold submitted credentials.
      error: (code) => log().warn({ code }, "sign-in failed"),
      warn: (code) => log().debug({ code }, "next-auth warns"),
      debug: () => undefined,
    },
    providers: [
      Credentials({
        id: "password",
        name: "Password",
        credentials: { email: {}, password: {} },
        authorize: async (credentials, request) =>
          answer(
            await signInWithPassword(
              pick(credentials, ["email", "password"]),
              getClientAddress(headerOf(request.headers, "x-forwarded-for")),
              visit.userAgent,
            ),
          ),
      }),
      Credentials({
        id: "demo",
        name: "Demo",
        credentials: { role: {}, second: {} },
        authorize: async (credentials, request) =>
          answer(await signInAsDemo(pick(credentials, ["role", "second"]), headerOf(request.headers, "host"), visit)),
      }),
      Credentials({
        id: "workspace",
        name: "Workspace",
        credentials: { entry: {} },
        authorize: async (credentials) => {
          const before = await getSessionClaims();
          const entered = answer(await enterWorkspace(before, credentials?.entry, visit));
          // Earlier, a request with the old cookie would look signed out.
          if (entered && before) after(() => signOut(before));

          const providerToken = await getProviderToken();

          return entered && { ...entered, ...(providerToken === null ? {} : { providerToken }) };
        },
      }),
      ...listOidcProviders(visit, async () => findSignedIn(await getSessionClaims())),
    ],
    callbacks: {
      signIn: ({ user }) => toAdmission(user),
      // next-auth would add name and address.
      jwt: ({ token, user }) =>
        user
          ? { sub: user.id, sv: user.sessionVersion, sid: user.sessionId, sk: user.sessionKey, at: ownOrigin(), it: user.providerToken }
          : { ...(token.sub ? { sub: token.sub } : {}), sv: token.sv, sid: token.sid, sk: token.sk, at: token.at, it: token.it },
      session: toShownSession,
      redirect: ({ url: wanted, baseUrl }) => resolveLandingUrl(wanted, baseUrl),
    },
    events: {
      // Otherwise a copied token stays valid until it expires.
      signOut: async ({ token }) => {
        const claims = toClaims(toSession({ session: { expires: "" }, token }));
        if (claims) await signOut(claims);
      },
    },
  };
};

/** Returns the cookie's claims, not yet checked against the database. */
export const getSessionClaims = async (): Promise<SessionClaims | null> => {
  const options = buildAuthOptions();

  return toClaims(await getServerSession({ ...options, callbacks: { ...options.callbacks, session: toSession } }));
};

export const getProviderToken = async (): Promise<string | null> => {
  const options = buildAuthOptions();
  const session = ({ token }: { readonly token: JWT }) => ({ expires: "", providerToken: token.it });

  return (await getServerSession({ ...options, callbacks: { ...options.callbacks, session } }))?.providerToken ?? null;
};
