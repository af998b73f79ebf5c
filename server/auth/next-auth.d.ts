import type { DefaultSession, DefaultUser } from "next-auth";
import type { DefaultJWT } from "next-auth/jwt";

declare module "next-auth" {
  interface User extends DefaultUser {
    sessionVersion: number;
  }
  interface Session extends DefaultSession {
    userId?: string | undefined;
    sessionVersion?: number | undefined;
  }
}

declare module "next-auth/jwt" {
  interface JWT extends DefaultJWT {
    sv?: number | undefined;
  }
}
