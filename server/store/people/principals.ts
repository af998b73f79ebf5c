import { z } from "zod";
import {
  findTokenObjection,
  isPersonal,
  isServiceAccount,
  NO_SESSION,
  principalSchema,
  TOKEN_SCOPES,
  type Principal,
} from "@/lib/engine/principal";
import { computeMemberDigest, SESSION_ENDED, computeTokenDigest, computeWorkspaceDigest } from "@/lib/engine/ledger/settings-digests";
import { integritySchema } from "@/lib/graph/label";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { oauthGrantSchema } from "@/lib/outside/oauth-grant";
import { DEFAULT_TOKEN_LIMITS, tokenLimitsSchema, type TokenLimits } from "@/lib/outside/token-limits";
import { batchCalls } from "@/lib/batch-calls";
import { mergeCalls } from "@/lib/merge-calls";
import { isAllowed, roleSchema, type Role } from "@/lib/roles";
import { getPool } from "@/server/db/client";
import { columnsOf, hideValue, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { SESSION_LIFE_MS } from "@/server/store/people/sessions";

type User = Extract<Principal, { type: "user" }>;
type Agent = Extract<Principal, { type: "agent" }>;

const memberRow = z.object({ role: roleSchema, auditor: z.boolean(), disabled: z.boolean() });
type MemberRow = z.infer<typeof memberRow>;

const readMember = mergeCalls((workspaceId: string, userId: string) =>
  queryRow(getPool(), memberRow, {
    name: "member",
    text: `select ${columnsOf(memberRow, { disabled: "disabled_at is not null" })} from membership
     where workspace_id = $1 and user_id = $2`,
    values: [workspaceId, userId],
  }),
);

const digestOfMember = (row: MemberRow | null) => row && computeMemberDigest(row, row.disabled);

const principalOf = (id: string, row: MemberRow | null): User | null =>
  row === null || row.disabled ? null : { type: "user", id, role: row.role, auditor: row.auditor };

/** Null: disabled or no member. @throws ProjectionMismatch, AuthorityUnverified */
export const findUserPrincipal = async (authority: AuthorityReader, workspaceId: string, userId: string): Promise<User | null> =>
  principalOf(userId, await authority.confirm(workspaceId, "people", userId, () => readMember(workspaceId, userId), digestOfMember));

export const getRoles = async (authority: AuthorityReader, workspaceId: string, ids: readonly string[]): Promise<Record<string, Role>> => {
  const members = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, (await findUserPrincipal(authority, workspaceId, id))?.role] as const),
  );

  return Object.fromEntries(members.flatMap(([id, role]) => (role ? [[id, role] as const] : [])));
};

const demoRow = z.object({ demo: z.boolean() });

const readDemo = mergeCalls(async (workspaceId: string) => {
  const text = "select demo from workspace where id = $1";

  return (await queryRow(getPool(), demoRow, { name: "workspace-demo", text, values: [workspaceId] }))?.demo === true;
});

export const isDemo = (authority: AuthorityReader, workspaceId: string): Promise<boolean> =>
  authority.confirm(
    workspaceId,
    "workspace",
    workspaceId,
    () => readDemo(workspaceId),
    (demo) => computeWorkspaceDigest({ demo }),
  );

export type OpenSession = {
  readonly publicKey: string;
  /** ms since 1970; null: unknown */
  readonly provedAtMs: number | null;
};

const visitorRow = memberRow.extend({ publicKey: z.string().nullable(), provedAt: msSchema.nullable() });

type VisitorRow = z.infer<typeof visitorRow>;

const VISITOR = columnsOf(visitorRow, { disabled: "m.disabled_at is not null", publicKey: "s.public_key", provedAt: "s.proved_at" }, "m.");

const readVisitor = (workspaceId: string, userId: string, sessionId: string, atMs: number): Promise<VisitorRow | null> =>
  queryRow(getPool(), visitorRow, {
    name: "visitor",
    text: `select ${VISITOR}
     from membership m
     left join session s on s.id = $3 and s.user_id = m.user_id and s.workspace_id = m.workspace_id and s.revoked_at is null
       and s.created_at > to_timestamp($4::double precision / 1000)
     where m.workspace_id = $1 and m.user_id = $2`,
    values: [workspaceId, userId, sessionId, atMs - SESSION_LIFE_MS],
  });

const isOpen = (row: VisitorRow | null): boolean => typeof row?.publicKey === "string";

/** `findUserPrincipal` with the session. @returns session: null unless open, their own and keyed @throws as `findUserPrincipal` */
export const findUserInSession = async (
  authority: AuthorityReader,
  { workspaceId, userId, sessionId, atMs }: { workspaceId: string; userId: string; sessionId: string; atMs: number },
): Promise<{ readonly user: User | null; readonly session: OpenSession | null }> => {
  const read = () => readVisitor(workspaceId, userId, sessionId, atMs);
  // Both share one read of the records.
  const [records, found] = await Promise.all([
    authority.read(workspaceId),
    authority.confirm(workspaceId, "people", userId, read, digestOfMember),
  ]);
  const isReset = isOpen(found) && digestInForce(records, "sessions", sessionId) !== null;
  // The row is open although the records ended it: it may have just ended.
  const row = isReset
    ? await authority.confirm(workspaceId, "sessions", sessionId, read, (visitor) => (isOpen(visitor) ? null : SESSION_ENDED))
    : found;
  const publicKey = row?.publicKey ?? null;

  return {
    user: principalOf(userId, row),
    session: publicKey === null ? null : { publicKey, provedAtMs: row?.provedAt ?? null },
  };
};

const tokenRow = z.object({
  hash: z.string(),
  publicKey: z.string().nullable(),
  ownerId: z.uuid(),
  audience: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  graphs: z.array(z.string()).nullable(),
  environments: z.array(z.string()),
  integrity: integritySchema,
  strictErrors: z.boolean(),
  singleBlock: z.boolean(),
  limits: tokenLimitsSchema.nullable(),
  oauth: oauthGrantSchema.nullable(),
  expiresAt: msSchema,
  isRevoked: z.boolean(),
});
type TokenRow = z.infer<typeof tokenRow>;

const TOKEN = columnsOf(tokenRow, {
  graphs: "case when all_graphs then null else coalesce(graphs, '{}') end",
  environments: "coalesce(environments, '{}')",
  isRevoked: "revoked_at is not null",
});

const readToken = mergeCalls((workspaceId: string, tokenId: string) =>
  queryRow(getPool(), tokenRow, {
    name: "token",
    text: `select ${TOKEN} from agent_token where workspace_id = $1 and id = $2`,
    values: [workspaceId, tokenId],
  }),
);

const digestOfToken = (row: TokenRow | null) => row && computeTokenDigest(row);

const confirmedToken = (authority: AuthorityReader, workspaceId: string, tokenId: string): Promise<TokenRow | null> =>
  authority.confirm(workspaceId, "tokens", tokenId, () => readToken(workspaceId, tokenId), digestOfToken);

/** Token in any state. @returns publicKey: null: older than agent signatures; familyKey: null: no OAuth client's */
export const findTokenSigner = async (
  authority: AuthorityReader,
  workspaceId: string,
  tokenId: string,
): Promise<{ readonly publicKey: string | null; readonly familyKey: string | null; readonly ownerId: string } | null> => {
  const token = await confirmedToken(authority, workspaceId, tokenId);

  return token && { publicKey: token.publicKey, familyKey: token.oauth?.familyKey ?? null, ownerId: token.ownerId };
};

type TokenTerms = { readonly limits: TokenLimits; readonly environments: readonly string[] };

export const getTokenTerms = async (authority: AuthorityReader, workspaceId: string, tokenId: string): Promise<TokenTerms> => {
  const token = await confirmedToken(authority, workspaceId, tokenId);

  return { limits: token?.limits ?? DEFAULT_TOKEN_LIMITS, environments: token?.environments ?? [] };
};

type UsableToken = TokenRow & { readonly owner: User };

const findUsableToken = async (
  authority: AuthorityReader,
  workspaceId: string,
  tokenId: string,
  atMs: number,
): Promise<UsableToken | null> => {
  const token = await confirmedToken(authority, workspaceId, tokenId);
  if (!token || token.isRevoked || token.expiresAt <= atMs) return null;
  const owner = await findUserPrincipal(authority, workspaceId, token.ownerId);

  return owner && findTokenObjection(owner.role, token) === null ? { ...token, owner } : null;
};

/** Of a token that may ask to publish the graph; `isAccount`: and to promote it. */
export const findPublishRequester = async (
  authority: AuthorityReader,
  workspaceId: string,
  { tokenId, graphId }: { readonly tokenId: string; readonly graphId: string },
  atMs: number,
): Promise<{ readonly ownerId: string; readonly isAccount: boolean; readonly environments: readonly string[] } | null> => {
  const token = await findUsableToken(authority, workspaceId, tokenId, atMs);
  if (!token || !isAllowed(token.owner.role, "graph.publish")) return null;
  const { ownerId, scopes, graphs, environments } = token;
  const isAccount = scopes.includes("graphs:write") && (graphs === null || graphs.includes(graphId));

  return isAccount || scopes.includes("architect") ? { ownerId, isAccount, environments } : null;
};

const drivesRun = async (workspaceId: string, tokenId: string, sessionId: string, runId: string, atMs: number): Promise<boolean> => {
  const found = await queryRow(getPool(), z.unknown(), {
    name: "agent-drives-run",
    text: `select 1
     from agent_session s
     join agent_session_run d on d.workspace_id = s.workspace_id and d.session_id = s.id and d.run_id = $4
     join agent_token t on t.workspace_id = s.workspace_id and t.id = s.token_id
     left join run r on r.id = d.run_id
     where s.workspace_id = $1 and s.token_id = $2 and s.id = $3
       and s.revoked_at is null and s.expires_at > to_timestamp($5::double precision / 1000)
       and (t.all_graphs or s.graph_id = any (t.graphs))
       and (r.id is null or (r.workspace_id = s.workspace_id and r.graph_id = s.graph_id))`,
    values: [workspaceId, tokenId, sessionId, runId, atMs],
  });

  return found !== null;
};

const MOST_AT_ONCE = 200;
const graphRow = z.object({ graphId: z.string().nullable() });

const findGraphAsked = batchCalls(
  async (workspaceId, asked: readonly Pick<Asked, "runId" | "startHash">[]): Promise<readonly (string | null)[]> => {
    const text = `select coalesce((select graph_id from run where workspace_id = $1 and id = asked.run),
      (select graph_id from graph_version where workspace_id = $1 and hash = asked.hash)) as "graphId"
      from unnest(${hideValue("uuid[]", 2)}, ${hideValue("text[]", 3)}) with ordinality as asked (run, hash, place) order by place`;
    const values = [workspaceId, asked.map(({ runId }) => runId), asked.map(({ startHash }) => startHash)];

    return (await queryRows(getPool(), graphRow, { name: "graphs-asked", text, values })).map(({ graphId }) => graphId);
  },
  MOST_AT_ONCE,
);

export const findPersonalToken = async (
  authority: AuthorityReader,
  workspaceId: string,
  { tokenId, runId }: { readonly tokenId: string; readonly runId: string },
  atMs: number,
): Promise<{ readonly user: User; readonly publicKey: string | null } | null> => {
  const token = await findUsableToken(authority, workspaceId, tokenId, atMs);
  if (!token || !isPersonal(token.scopes)) return null;
  const graph = await findGraphAsked(workspaceId, { runId, startHash: null });

  return graph !== null && (token.graphs === null || token.graphs.includes(graph))
    ? { user: token.owner, publicKey: token.publicKey }
    : null;
};

/** `startHash`: version of a start; null: another command. */
type Asked = { readonly sessionId: string | null; readonly runId: string; readonly startHash: string | null };

export const findAgentPrincipal = async (
  authority: AuthorityReader,
  workspaceId: string,
  tokenId: string,
  asked: Asked,
  atMs: number,
): Promise<Agent | null> => {
  const { sessionId, runId } = asked;
  const token = await findUsableToken(authority, workspaceId, tokenId, atMs);
  if (!token) return null;
  const { ownerId, integrity, scopes, graphs } = token;
  const principal = { type: "agent", token: tokenId, owner: ownerId, integrity, scopes } as const;
  if (!isServiceAccount(scopes)) {
    const drives = sessionId !== null && (await drivesRun(workspaceId, tokenId, sessionId, runId, atMs));

    return drives ? { ...principal, session: sessionId } : null;
  }
  const graph = sessionId === null ? await findGraphAsked(workspaceId, asked) : null;

  return graph !== null && (graphs === null || graphs.includes(graph)) ? { ...principal, session: NO_SESSION } : null;
};

export const findAttemptingAgent = async (
  authority: AuthorityReader,
  workspaceId: string,
  tokenId: string,
  sessionId: string | null,
): Promise<Agent | null> => {
  const token = await confirmedToken(authority, workspaceId, tokenId);
  const parsed = principalSchema.safeParse(
    token && {
      type: "agent",
      token: tokenId,
      session: sessionId ?? NO_SESSION,
      owner: token.ownerId,
      integrity: token.integrity,
      scopes: [],
    },
  ).data;

  return parsed?.type === "agent" ? parsed : null;
};
