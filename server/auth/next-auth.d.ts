import type { DefaultSession, DefaultUser } from "next-auth";
import type { DefaultJWT } from "next-auth/jwt";

declare module "next-auth" {
  interface User extends DefaultUser {
    sessionVersion: number;
    sessionId: string;
    /** Seed of the session's key. */
    sessionKey: string;
    providerToken?: string;
    /** Redirect target for a rejected sign-in. */
    instead?: string | null;
  }
  interface Session extends DefaultSession {
    userId?: string | undefined;
    sessionVersion?: number | undefined;
    sessionId?: string | undefined;
    /** Seed of the session's key; only in this process, never in a browser. */
    sessionKey?: string | undefined;
    providerToken?: string | undefined;
    /** Address of the installation that opened it. */
    origin?: string | undefined;
  }
}

declare module "next-auth/jwt" {
  interface JWT extends DefaultJWT {
    sv?: number | undefined;
    sid?: string | undefined;
    sk?: string | undefined;
    at?: string | undefined;
    /** ID token, for the provider's logout; empty: too long. */
    it?: string | undefined;
  }
}
