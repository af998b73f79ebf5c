/** Who asks over MCP: a token, for one graph. Everything else follows from it. */
import { tokenObjection } from "@/lib/engine/principal";
import type { Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { findAgentToken, touchAgentToken, type AgentToken, type ShownToken } from "@/server/store/agent-tokens";
import type { UsableVersion } from "@/server/store/graph-versions";
import { recordDenied } from "./denied";
import { audienceOf } from "./endpoint";
import { drivenGraph } from "./graphs";
import { tokenHash } from "./token";
import { bearerIn, isToken } from "./token-form";

export type Caller = {
  readonly workspaceId: string;
  readonly token: AgentToken;
  /** The newest version; runs go on with the one that they were started with. */
  readonly graph: UsableVersion;
  /** What the transport says is its session; null where there is none. */
  readonly transportSession: string | null;
};

const shownToken = (authorization: string | null): Promise<ShownToken | null> => {
  const token = bearerIn(authorization);

  return token !== null && isToken(token) ? findAgentToken(tokenHash(token)) : Promise.resolve(null);
};

const isUsable = ({ workspaceId, token, ownerRole }: ShownToken): boolean =>
  token.revokedAt === null &&
  token.expiresAt > systemClock.now() &&
  token.audience === audienceOf(workspaceId) &&
  ownerRole !== null &&
  tokenObjection(ownerRole, token) === null;

/** Whose token this is, if it is good here and now. What a token that was good once is used for is on record. */
export const authenticate = async (authorization: string | null): Promise<ShownToken | null> => {
  const shown = await shownToken(authorization);
  if (!shown) return null;
  if (!isUsable(shown)) {
    await recordDenied({ workspaceId: shown.workspaceId, tokenId: shown.token.id, sessionId: null }, "token");

    return null;
  }
  await touchAgentToken(shown.workspaceId, shown.token.id, systemClock.now());

  return shown;
};

/** A caller as the token's owner would have one by hand: what it may do is what the token may. */
export const callerByHand = async (
  workspaceId: string,
  role: Role,
  token: AgentToken,
  graphId: string,
  session: string | null,
): Promise<Caller | null> => {
  const isGood = token.revokedAt === null && token.expiresAt > systemClock.now() && tokenObjection(role, token) === null;
  const graph = isGood && (token.graphs === null || token.graphs.includes(graphId)) ? await drivenGraph(workspaceId, graphId) : null;

  return graph && { workspaceId, token, graph, transportSession: session };
};

/** The graph at this address, if the token is for it. Null is recorded; why is nobody's to know. */
export const graphFor = async ({ workspaceId, token }: ShownToken, address: { workspace: string; graph: string }) => {
  const isHere = address.workspace === workspaceId && (token.graphs === null || token.graphs.includes(address.graph));
  const graph = isHere ? await drivenGraph(workspaceId, address.graph) : null;
  if (!graph) await recordDenied({ workspaceId, tokenId: token.id, sessionId: null }, "graph");

  return graph;
};
