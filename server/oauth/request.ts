import { z } from "zod";
import { AGENT_SCOPES, type AgentScope } from "@/lib/engine/principal";
import { uuidSchema } from "@/lib/ids";
import { DEFAULT_SCOPES } from "@/lib/outside/oauth-grant";
import { matchesRedirectUri } from "@/lib/outside/redirect-uri";
import { getEndpoint } from "@/server/outside/endpoint";
import { ownOrigin } from "@/server/own-origin";
import type { OauthClient } from "./client";

export const authorizationSchema = z.object({
  clientId: z.string().max(1_500),
  redirectUri: z.string().max(300),
  responseType: z.string().max(100).optional(),
  state: z.string().max(500).optional(),
  codeChallenge: z.string().max(200).optional(),
  codeChallengeMethod: z.string().max(20).optional(),
  resource: z.string().max(300).optional(),
  scope: z.string().max(300).optional(),
});
export type Authorization = z.infer<typeof authorizationSchema>;

export type Asked = {
  readonly client: OauthClient;
  readonly challenge: string;
  readonly workspaceId: string;
  readonly graphId: string;
  readonly scopes: readonly AgentScope[];
};

export const parseAuthorization = (query: Readonly<Record<string, string>>): Authorization | null =>
  authorizationSchema.safeParse({
    ...query,
    clientId: query["client_id"],
    redirectUri: query["redirect_uri"],
    responseType: query["response_type"],
    codeChallenge: query["code_challenge"],
    codeChallengeMethod: query["code_challenge_method"],
  }).data ?? null;

type Fault = { readonly error: string; readonly isRedirected: boolean };

const ENDPOINT = /\/api\/mcp\/([^/]+)\/([^/]+)$/;

/** RFC 8707: the endpoint of one graph. */
const readResource = (resource: string): Pick<Asked, "workspaceId" | "graphId"> | null => {
  const [, workspaceId, graphId] = ENDPOINT.exec(resource) ?? [];
  if (!uuidSchema.safeParse(workspaceId).success || !uuidSchema.safeParse(graphId).success) return null;

  return workspaceId && graphId && getEndpoint(workspaceId, graphId) === resource ? { workspaceId, graphId } : null;
};

const isChallenge = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text);

/** Faults of client or redirect URI are never redirected: no open redirector. */
export const readAuthorization = (request: Authorization, client: OauthClient | null): Asked | Fault => {
  if (!client) return { error: "invalid_client", isRedirected: false };
  if (!client.redirectUris.some((uri) => matchesRedirectUri(uri, request.redirectUri)))
    return { error: "invalid_redirect_uri", isRedirected: false };
  const fault = (error: string): Fault => ({ error, isRedirected: true });
  if (request.responseType !== "code") return fault("unsupported_response_type");
  if (!isChallenge(request.codeChallenge) || request.codeChallengeMethod !== "S256") return fault("invalid_request");
  const place = readResource(request.resource ?? "");
  if (!place) return fault("invalid_target");
  const wanted: readonly string[] = request.scope?.split(" ").filter((scope) => scope !== "") ?? DEFAULT_SCOPES;
  const scopes = AGENT_SCOPES.filter((scope) => wanted.includes(scope));
  if (scopes.length === 0) return fault("invalid_scope");

  return { client, challenge: request.codeChallenge, ...place, scopes };
};

/** Answers the client. `iss`: RFC 9207, against mix-up. */
export const buildRedirect = ({ redirectUri, state }: Authorization, answer: Readonly<Record<string, string>>): string => {
  const url = new URL(redirectUri);
  const parameters = { ...answer, ...(state === undefined ? {} : { state }), iss: ownOrigin() };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);

  return url.href;
};
