/** Session cookie: its name and accepted token claims. It belongs to one installation. */
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

/**
 * `__Host-` makes browsers refuse the cookie from subdomains or without TLS. Over http, where cookies reach every port of a host, the name
 * contains the port.
 */
export const getSessionCookie = (): CookiesOptions["sessionToken"] => {
  const { protocol, port } = new URL(ownOrigin());
  const isSecure = protocol === "https:";

  return {
    name: isSecure ? "__Host-countersign.session" : `countersign.${port === "" ? "80" : port}.session`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
  };
};

/** The browser's view of a session: ids and the opening address, nothing personal. */
export const toShownSession = ({ session, token: { sub, sv, sid, at } }: { readonly session: Session; readonly token: JWT }): Session => ({
  expires: session.expires,
  userId: sub,
  sessionVersion: sv,
  sessionId: sid,
  origin: at,
});

/** This process's view of a session, with its key, which is never sent. */
export const toSession = (session: Parameters<typeof toShownSession>[0]): Session => ({
  ...toShownSession(session),
  sessionKey: session.token.sk,
});

/** Parses session claims; null when malformed or opened at another installation's address. */
export const toClaims = (session: unknown): SessionClaims | null => {
  const { data } = claimsSchema.safeParse(session);
  if (data === undefined || data.origin !== ownOrigin()) return null;
  const { userId, sessionVersion, sessionId, sessionKey } = data;

  return { userId, sessionVersion, sessionId, sessionKey };
};
