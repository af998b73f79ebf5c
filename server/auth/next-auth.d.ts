import type { DefaultSession, DefaultUser } from "next-auth";
import type { DefaultJWT } from "next-auth/jwt";

declare module "next-auth" {
  interface User extends DefaultUser {
    sessionVersion: number;
    sessionId: string;
    /** The seed of the session's key. */
    sessionKey: string;
    /** Where they are led who are not signed in. */
    instead?: string | null;
  }
  interface Session extends DefaultSession {
    userId?: string | undefined;
    sessionVersion?: number | undefined;
    sessionId?: string | undefined;
    /** The seed of the session's key, where this process reads it; never where a browser does. */
    sessionKey?: string | undefined;
    /** The address of the installation that opened it. */
    origin?: string | undefined;
  }
}

declare module "next-auth/jwt" {
  interface JWT extends DefaultJWT {
    sv?: number | undefined;
    sid?: string | undefined;
    sk?: string | undefined;
    at?: string | undefined;
  }
}
