import { findTokenObjection } from "@/lib/engine/principal";
import { computeMemberDigest, computeTokenDigest } from "@/lib/engine/ledger/settings-digests";
import type { Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { findAgentToken, touchAgentToken, type AgentToken, type ShownToken } from "@/server/store/agents/tokens";
import type { AgentSigner } from "@/server/store/runs/command-envelope";
import { deriveAgentSeed, type SessionKey } from "@/server/security/session-key";
import type { UsableVersion } from "@/server/store/graphs/versions";
import { confirmRow, catchMismatch, type Claim } from "@/server/web/authority";
import { recordDenied } from "./denied";
import { getAudience } from "./endpoint";
import { findDrivenGraph } from "./graphs";
import { hashToken } from "./token";
import { readBearer, isToken } from "./token-form";

export type Caller = {
  readonly workspaceId: string;
  readonly token: AgentToken;
  readonly signer: AgentSigner;
  readonly graph: UsableVersion;
  readonly transportSession: string | null;
};

/** @param hash of the presented token; the row's own is ignored */
const claimsOf = ({ token, owner }: ShownToken, hash: string): readonly Claim[] => [
  { area: "tokens", subject: token.id, digest: computeTokenDigest({ ...token, hash, isRevoked: token.revokedAt !== null }) },
  { area: "people", subject: token.ownerId, digest: owner && computeMemberDigest(owner, owner.disabled) },
];

type Found = { readonly shown: ShownToken; readonly isConfirmed: boolean };

const shownToken = async (token: string): Promise<Found | null> => {
  const hash = hashToken(token);
  const readToken = () => findAgentToken(hash);
  const found = await readToken();
  if (!found) return null;
  const confirmed = confirmRow<ShownToken | null>(found.workspaceId, found, readToken, (row) => (row ? claimsOf(row, hash) : []));
  const shown = await catchMismatch(confirmed, "mismatch");

  return shown && (shown === "mismatch" ? { shown: found, isConfirmed: false } : { shown, isConfirmed: true });
};

type AudienceOf = (workspaceId: string) => string;

const isUsable = ({ workspaceId, token, owner }: ShownToken, audienceOf: AudienceOf): boolean =>
  token.revokedAt === null &&
  token.expiresAt > systemClock.now() &&
  token.audience === audienceOf(workspaceId) &&
  owner?.disabled === false &&
  findTokenObjection(owner.role, token) === null;

export type Authenticated = ShownToken & { readonly signer: AgentSigner };

/** Records use of an expired or revoked token. */
export const authenticate = async (authorization: string | null, audienceOf: AudienceOf = getAudience): Promise<Authenticated | null> => {
  const token = readBearer(authorization);
  if (token === null || !isToken(token)) return null;
  const found = await shownToken(token);
  if (!found) return null;
  const { shown, isConfirmed } = found;
  const signer = { type: "token", key: deriveAgentSeed(token) } as const;
  if (!isConfirmed || !isUsable(shown, audienceOf)) {
    await recordDenied({ workspaceId: shown.workspaceId, tokenId: shown.token.id, sessionId: null, signer }, "token");

    return null;
  }
  await touchAgentToken(shown.workspaceId, shown.token, systemClock.now());

  return { ...shown, signer };
};

export const callerByHand = async (
  workspaceId: string,
  { role, session: own }: { readonly role: Role; readonly session: SessionKey },
  token: AgentToken,
  graphId: string,
  session: string | null,
): Promise<Caller | null> => {
  const isGood = token.revokedAt === null && token.expiresAt > systemClock.now() && findTokenObjection(role, token) === null;
  const graph = isGood && (token.graphs === null || token.graphs.includes(graphId)) ? await findDrivenGraph(workspaceId, graphId) : null;

  return graph && { workspaceId, token, signer: { type: "owner", id: token.ownerId, session: own }, graph, transportSession: session };
};

export const findGraphFor = async ({ workspaceId, token, signer }: Authenticated, address: { workspace: string; graph: string }) => {
  const isHere = address.workspace === workspaceId && (token.graphs === null || token.graphs.includes(address.graph));
  const graph = isHere ? await findDrivenGraph(workspaceId, address.graph) : null;
  if (!graph) await recordDenied({ workspaceId, tokenId: token.id, sessionId: null, signer }, "graph");

  return graph;
};
