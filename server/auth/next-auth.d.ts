import type { DefaultSession, DefaultUser } from "next-auth";
import type { DefaultJWT } from "next-auth/jwt";

declare module "next-auth" {
  interface User extends DefaultUser {
    sessionVersion: number;
    /** When they proved who they are, in ms since 1970; null: it is not known. */
    provedAtMs: number | null;
    /** Where they are led who are not signed in. */
    instead?: string | null;
  }
  interface Session extends DefaultSession {
    userId?: string | undefined;
    sessionVersion?: number | undefined;
    sessionId?: string | undefined;
    /** The address of the installation that opened it. */
    origin?: string | undefined;
  }
}

declare module "next-auth/jwt" {
  interface JWT extends DefaultJWT {
    sv?: number | undefined;
    sid?: string | undefined;
    at?: string | undefined;
  }
}
