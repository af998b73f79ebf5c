import { createHash } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { e2eOrigin } from "./home.ts";
import { query } from "./wire.ts";

export const VERIFIER = "v".repeat(43);

type Graph = { readonly name: string; readonly endpoint: string };

export const findEndpoint = async (page: Page): Promise<Graph> => {
  const [graph] = await query<readonly Graph[]>(page, "connect.graphs.list", undefined);
  if (!graph) throw new Error("The demo has no graph for outside agents.");

  return graph;
};

export const registerClient = async (page: Page, redirectUri: string): Promise<string> => {
  const response = await page.request.post(`${e2eOrigin()}/api/oauth/register`, {
    data: { client_name: "Claude Code", redirect_uris: [redirectUri] },
  });
  expect(response.status()).toBe(201);

  return ((await response.json()) as { client_id: string }).client_id;
};

export const askToConnect = async (page: Page, redirectUri: string, clientId?: string): Promise<string> => {
  const { endpoint } = await findEndpoint(page);
  const asked = {
    response_type: "code",
    client_id: clientId ?? (await registerClient(page, redirectUri)),
    redirect_uri: redirectUri,
    state: "s",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    resource: endpoint,
  };

  return `/api/oauth/authorize?${new URLSearchParams(asked).toString()}`;
};
