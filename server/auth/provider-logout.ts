import { z } from "zod";
import { isLoopbackHost } from "@/server/auth/loopback";
import { getProviderToken } from "@/server/auth";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { answerProgram, limitPerMinute, OauthError, readParameters, respond, takeAttempt } from "@/server/oauth/answer";
import { ownOrigin } from "@/server/own-origin";
import { readBody } from "@/server/security/request-guard";
import { askToSignOut } from "@/server/web/ask-sign-in";

const logouts = limitPerMinute(120);

/** Back-channel logout: the control plane verifies the token. */
export const handleProviderLogout = (request: Request): Promise<Response> =>
  answerProgram(async () => {
    if (readEnv().OIDC_ISSUER === undefined) return new Response(null, { status: 404 });
    takeAttempt(logouts, request);
    if (request.headers.get("content-type")?.split(";")[0]?.trim() !== "application/x-www-form-urlencoded")
      throw new OauthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
    const { logout_token: token = "" } = readParameters(new URLSearchParams(await readBody(request.body)));
    if (token === "" || token.length > 16_384 || !(await askToSignOut(token)))
      throw new OauthError("invalid_request", "The logout token is invalid or was used before.");

    return respond({});
  });

/** Tells the browser where to end the provider's session after its own. */
export const handleLogoutUrl = async (): Promise<Response> => respond({ url: await getLogoutUrl(await getProviderToken()) });

const TIMEOUT_MS = 3_000;

const discoverySchema = z.object({ issuer: z.string(), end_session_endpoint: z.url() });

const findEndpoint = async (issuer: string): Promise<URL | null> => {
  try {
    const answer = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { data } = discoverySchema.safeParse(await answer.json());
    if (data?.issuer !== issuer) return null;
    const url = new URL(data.end_session_endpoint);

    return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.host)) ? url : null;
  } catch (error) {
    log().warn({ err: error }, "the provider's logout page is unknown");

    return null;
  }
};

/** Returns where to end the provider's session; null: not begun there, or it has no such page. @param hint ID token; empty: too long to keep */
export const getLogoutUrl = async (hint: string | null): Promise<string | null> => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = readEnv();
  const url = hint === null || issuer === undefined || clientId === undefined ? null : await findEndpoint(issuer);
  if (url === null || clientId === undefined) return null;
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("post_logout_redirect_uri", `${ownOrigin()}/sign-in`);
  if (hint) url.searchParams.set("id_token_hint", hint);

  return url.href;
};
