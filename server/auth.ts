/** Cookies and sign-in through next-auth; who may do what is decided elsewhere, from the database. */
import "server-only";
import { getServerSession, type AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { clientAddress } from "@/server/auth/client-address";
import { signInAsDemo } from "@/server/auth/demo-sign-in";
import { signInWithPassword, type SignInOutcome } from "@/server/auth/password-sign-in";
import type { SessionClaims } from "@/server/auth/session";
import { env } from "@/server/env";
import { log } from "@/server/log";

const SESSION_S = 12 * 3600;

const claimsSchema = z.object({ sub: z.uuid(), sv: z.number().int() });

// next-auth hands the parsed body with its own fields (csrfToken, json, …) in it: only ours go on.
const pick = (credentials: Record<string, string> | undefined, keys: readonly string[]) =>
  Object.fromEntries(keys.flatMap((key) => (credentials?.[key] === undefined ? [] : [[key, credentials[key]]])));

/** A thrown message becomes the `error` of the answer; null becomes the generic one. */
const answer = (outcome: SignInOutcome) => {
  if (outcome.status === "rate_limited") throw new Error("rate_limited");
  if (outcome.status === "denied") return null;

  return { id: outcome.claims.userId, sessionVersion: outcome.claims.sessionVersion };
};

const headerOf = (headers: unknown, name: string): string | null => {
  const value: unknown = typeof headers === "object" && headers !== null ? Reflect.get(headers, name) : null;

  return typeof value === "string" ? value : null;
};

const makeOptions = (): AuthOptions => {
  const { NEXTAUTH_SECRET: secret, NEXTAUTH_URL: url } = env();
  if (!secret) throw new Error("NEXTAUTH_SECRET is not set");
  const isSecure = url?.startsWith("https://") ?? false;

  return {
    secret,
    useSecureCookies: isSecure,
    session: { strategy: "jwt", maxAge: SESSION_S },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    cookies: {
      sessionToken: {
        // `__Host-` makes the browser refuse the cookie from a subdomain or without TLS.
        name: isSecure ? "__Host-countersign.session" : "countersign.session",
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
      },
    },
    logger: {
      // The metadata can hold what was typed into the form: only the code is kept.
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
            await signInWithPassword(pick(credentials, ["email", "password"]), clientAddress(headerOf(request.headers, "x-forwarded-for"))),
          ),
      }),
      Credentials({
        id: "demo",
        name: "Demo",
        credentials: { role: {}, second: {} },
        authorize: async (credentials, request) =>
          answer(await signInAsDemo(pick(credentials, ["role", "second"]), headerOf(request.headers, "host"))),
      }),
    ],
    callbacks: {
      // Only the id and the session version are kept; next-auth would put name and address into the token.
      jwt: ({ token, user }) =>
        user ? { sub: user.id, sv: user.sessionVersion } : { ...(token.sub ? { sub: token.sub } : {}), sv: token.sv },
      session: ({ session, token }) => ({ expires: session.expires, userId: token.sub, sessionVersion: token.sv }),
      redirect: ({ baseUrl }) => baseUrl,
    },
  };
};

let options: AuthOptions | null = null;

/** Made on first use, because a build of the pages has no secret. */
export const authOptions = (): AuthOptions => (options ??= makeOptions());

/** What the session cookie of the present request says, or null. It still has to be checked against the database. */
export const sessionClaims = async (): Promise<SessionClaims | null> => {
  const session: unknown = await getServerSession(authOptions());
  const parsed = z.object({ userId: claimsSchema.shape.sub, sessionVersion: claimsSchema.shape.sv }).safeParse(session);

  return parsed.success ? parsed.data : null;
};
