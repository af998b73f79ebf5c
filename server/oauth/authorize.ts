/** A cookie keeps the request until the person decides. */
import { z } from "zod";
import { ownOrigin } from "@/server/own-origin";
import { answerProgram, limitPerMinute, OauthError, readParameters, takeAttempt } from "./answer";
import { readClient } from "./client";
import { isDocumentId } from "./client-document";
import { authorizationSchema, buildRedirect, parseAuthorization, readAuthorization, type Authorization } from "./request";

const requests = limitPerMinute(60);

const KEPT_S = 600;
const MOST_BYTES = 3_800;

const cookieName = (): string => {
  const { protocol, port } = new URL(ownOrigin());

  return protocol === "https:" ? "__Host-countersign.authorization" : `countersign.${port === "" ? "80" : port}.authorization`;
};

const cookieOf = (request: Authorization): string => {
  const value = Buffer.from(JSON.stringify(request)).toString("base64url");
  if (value.length > MOST_BYTES) throw new OauthError("invalid_request", "The request is too long.");
  const secure = ownOrigin().startsWith("https:") ? "; Secure" : "";

  return `${cookieName()}=${value}; Path=/; Max-Age=${KEPT_S}; HttpOnly; SameSite=Lax${secure}`;
};

const redirect = (to: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { Location: to, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", ...headers } });

export const handleAuthorization = (request: Request): Promise<Response> =>
  answerProgram(async () => {
    takeAttempt(requests, request);
    const asked = parseAuthorization(readParameters(new URL(request.url).searchParams));
    if (!asked) throw new OauthError("invalid_request", "The request lacks a client or a redirect URI, or it is too long.");
    const toConsent = () => redirect(`${ownOrigin()}/authorize`, { "Set-Cookie": cookieOf(asked) });
    // Only a signed-in person makes this process fetch a document.
    if (isDocumentId(asked.clientId)) return toConsent();
    const read = readAuthorization(asked, readClient(asked.clientId));
    if (!("error" in read)) return toConsent();
    if (read.isRedirected) return redirect(buildRedirect(asked, { error: read.error }));
    throw new OauthError(read.error, "The client is not registered here with this redirect URI.");
  });

type Cookies = { readonly get: (name: string) => { readonly value: string } | undefined };

const textSchema = z.string().transform((text) => JSON.parse(Buffer.from(text, "base64url").toString()) as unknown);

export const readPending = (cookies: Cookies): Authorization | null => {
  try {
    return authorizationSchema.parse(textSchema.parse(cookies.get(cookieName())?.value));
  } catch {
    return null;
  }
};
