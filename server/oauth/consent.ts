import { CODE_MS } from "@/lib/outside/oauth-grant";
import type { AgentScope } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { listDrivenGraphs } from "@/server/outside/graphs";
import { hashToken } from "@/server/outside/token";
import { readClient, type OauthClient } from "./client";
import { createClientDocuments, getDocumentHost, isDocumentId } from "./client-document";
import { buildRedirect, readAuthorization, type Asked, type Authorization } from "./request";
import { createSecret } from "./secret";

export type Consent = {
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly client: string;
  readonly redirectUri: string;
  readonly graph: { readonly id: string; readonly name: string };
  readonly scopes: readonly AgentScope[];
  readonly denyTo: string;
};

type Found = { readonly asked: Asked; readonly consent: Consent };

const readClientDocument = createClientDocuments({ clock: systemClock });

const findClient = async (id: string): Promise<OauthClient | null> => (isDocumentId(id) ? readClientDocument(id) : readClient(id));

const find = async (workspaceId: string, request: Authorization): Promise<Found | null> => {
  const asked = readAuthorization(request, await findClient(request.clientId));
  if ("error" in asked || asked.workspaceId !== workspaceId) return null;
  const graph = (await listDrivenGraphs(workspaceId)).find(({ graphId }) => graphId === asked.graphId);

  return graph
    ? {
        asked,
        consent: {
          clientName: asked.client.name,
          clientHost: getDocumentHost(request.clientId),
          client: hashToken(request.clientId),
          redirectUri: request.redirectUri,
          graph: { id: graph.graphId, name: graph.published.graph.name },
          scopes: asked.scopes,
          denyTo: buildRedirect(request, { error: "access_denied" }),
        },
      }
    : null;
};

export const findConsent = async (workspaceId: string, request: Authorization): Promise<Consent | null> =>
  (await find(workspaceId, request))?.consent ?? null;

export const prepareGrant = async (workspaceId: string, request: Authorization, scopes: readonly AgentScope[]) => {
  const found = await find(workspaceId, request);
  if (!found) throw new AppError("not_found");
  const { asked, consent } = found;
  if (!scopes.every((scope) => asked.scopes.includes(scope))) throw new AppError("bad_request");
  const { secret, credential, familyKey } = createSecret("code");
  const { client, redirectUri } = consent;

  return {
    minting: {
      name: consent.clientName,
      scopes,
      graphs: [consent.graph.id],
      integrity: "untrusted" as const,
      strictErrors: false,
      singleBlock: false,
      lifetimeMs: CODE_MS,
      oauth: { client, redirectUri, familyKey, credential, challenge: asked.challenge },
    },
    to: buildRedirect(request, { code: secret }),
  };
};
