import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { AgentScope } from "@/lib/engine/principal";
import type { Role } from "@/lib/roles";
import { readPending } from "@/server/oauth/authorize";
import { findConsent } from "@/server/oauth/consent";
import type { Authorization } from "@/server/oauth/request";
import type { Stand } from "@/server/outside/testing/fixture";
import { callerAs, openedSession } from "@/server/testing/caller";

export const REDIRECT = "http://127.0.0.1:33418/callback";

type Provider = OAuthClientProvider & { readonly asked: () => URL; readonly stored: { tokens: OAuthTokens | undefined } };

export const createProvider = (name = "Test client"): Provider => {
  let client: OAuthClientInformationMixed | undefined;
  let verifier = "";
  let asked: URL | null = null;
  const stored: Provider["stored"] = { tokens: undefined };

  return {
    stored,
    asked: () => {
      if (!asked) throw new Error("nothing was asked");

      return asked;
    },
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: name, redirect_uris: [REDIRECT] },
    state: () => "state-1",
    clientInformation: () => client,
    saveClientInformation: (saved) => {
      client = saved;
    },
    tokens: () => stored.tokens,
    saveTokens: (saved) => {
      stored.tokens = saved;
    },
    redirectToAuthorization: (url) => {
      asked = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
};

export const createTransport = (url: string, authProvider: OAuthClientProvider): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL(url), { authProvider });

export const connectOver = async (transport: StreamableHTTPClientTransport): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);

  return client;
};

export const openAuthorization = async (
  url: URL | string,
): Promise<{ readonly response: Response; readonly request: Authorization | null }> => {
  const response = await fetch(url, { redirect: "manual" });
  const [name = "", value = ""] = response.headers.get("set-cookie")?.split(";")[0]?.split("=") ?? [];

  return { response, request: readPending({ get: (asked) => (asked === name ? { value } : undefined) }) };
};

export const consentOf = (stand: Stand, request: Authorization) => findConsent(stand.desk.workspace, request);

export const callerOf = async (stand: Stand, role: Role) => {
  const { desk } = stand;
  const id = desk.people[role === "builder" ? "builder" : role === "admin" ? "admin" : "reviewer"];

  return callerAs(desk.workspace, role, { id, session: await openedSession(desk.urls.admin, id) });
};

export const allow = async (
  stand: Stand,
  request: Authorization,
  scopes: readonly AgentScope[] = ["run.read", "run.drive", "approval.request"],
  role: Role = "builder",
): Promise<URL> => new URL((await (await callerOf(stand, role)).connect.grants.allow({ request, scopes: [...scopes] })).to);
