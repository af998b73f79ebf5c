/** The session cookie: its name, and what of its token is believed. It belongs to one installation. */
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
 * `__Host-` makes the browser refuse the cookie from a subdomain or without TLS. Over plain http, where cookies reach every port
 * of a host, the port keeps installations side by side apart.
 */
export const sessionCookie = (): CookiesOptions["sessionToken"] => {
  const { protocol, port } = new URL(ownOrigin());
  const isSecure = protocol === "https:";

  return {
    name: isSecure ? "__Host-countersign.session" : `countersign.${port === "" ? "80" : port}.session`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure },
  };
};

/** The session as next-auth shows it to a browser: ids and the address that it was opened at, and nothing about the person. */
export const shownSessionOf = ({ session, token: { sub, sv, sid, at } }: { readonly session: Session; readonly token: JWT }): Session => ({
  expires: session.expires,
  userId: sub,
  sessionVersion: sv,
  sessionId: sid,
  origin: at,
});

/** The session as this process reads it, with its key, which no answer holds. */
export const sessionOf = (session: Parameters<typeof shownSessionOf>[0]): Session => ({
  ...shownSessionOf(session),
  sessionKey: session.token.sk,
});

/** What a session says, or null when it is none, or was opened at another address than this installation's. */
export const claimsOf = (session: unknown): SessionClaims | null => {
  const { data } = claimsSchema.safeParse(session);
  if (data === undefined || data.origin !== ownOrigin()) return null;
  const { userId, sessionVersion, sessionId, sessionKey } = data;

  return { userId, sessionVersion, sessionId, sessionKey };
};
