import type { CookiesOptions, Session } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { z } from "zod";
import { ownOrigin } from "@/server/own-origin";
import { keyTextSchema } from "@/server/security/session-key";
import type { SessionClaims } from "./session";

const claimsSchema = z.object({
  userId: z.uuid(),
  sessionVersion: z.number().int(),
  sessionId: z.uuid(),
  sessionKey: keyTextSchema,
  origin: z.string(),
});

/** Returns the cookie's name. `__Host-` excludes subdomains; over http it has the port, since cookies reach all ports. */
export const getSessionCookie = (): CookiesOptions["sessionToken"] => {
  const { protocol, port } = new URL(ownOrigin());
  const isSecure = protocol === "https:";

  return {
    name: isSecure ? "__Host-countersign.session" : `countersign.${port === "" ? "80" : port}.session`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
  };
};

export const toShownSession = ({ session, token: { sub, sv, sid, at } }: { readonly session: Session; readonly token: JWT }): Session => ({
  expires: session.expires,
  userId: sub,
  sessionVersion: sv,
  sessionId: sid,
  origin: at,
});

export const toSession = (session: Parameters<typeof toShownSession>[0]): Session => ({
  ...toShownSession(session),
  sessionKey: session.token.sk,
});

/** Parses claims; null for malformed ones and other installations'. */
export const toClaims = (session: unknown): SessionClaims | null => {
  const { data } = claimsSchema.safeParse(session);
  if (data === undefined || data.origin !== ownOrigin()) return null;
  const { userId, sessionVersion, sessionId, sessionKey } = data;

  return { userId, sessionVersion, sessionId, sessionKey };
};
