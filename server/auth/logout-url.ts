import { z } from "zod";
import { isLoopbackHost } from "@/server/auth/loopback";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { ownOrigin } from "@/server/own-origin";

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
