import "next-auth";
import "next-auth/jwt";

declare module "next-auth" {
  interface User {
    sessionVersion: number;
  }
  interface Session {
    userId?: string | undefined;
    sessionVersion?: number | undefined;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    sv?: number | undefined;
  }
}
