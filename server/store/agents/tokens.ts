import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import { TOKEN_SCOPES } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { oauthGrantSchema } from "@/lib/outside/oauth-grant";
import { tokenLimitsSchema } from "@/lib/outside/token-limits";
import type { Standing } from "@/lib/people/command";
import { roleSchema } from "@/lib/roles";
import { runInWorkspace, getPool, runRead, scopeToWorkspace, type Transaction } from "@/server/db/client";
import { columnsOf, hideValue, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";
import { getNamesIn } from "@/server/store/people/people";

const tokenRow = z.object({
  id: z.string(),
  /** Null: older than agent signatures. */
  publicKey: z.string().nullable(),
  name: z.string(),
  hint: z.string(),
  audience: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  environments: z.array(z.string()),
  integrity: integritySchema,
  strictErrors: z.boolean(),
  singleBlock: z.boolean(),
  limits: tokenLimitsSchema.nullable(),
  oauth: oauthGrantSchema.nullable(),
  ownerId: z.string(),
  createdAt: msSchema,
  expiresAt: msSchema,
  revokedAt: msSchema.nullable(),
  lastUsedAt: msSchema.nullable(),
});
export type AgentToken = z.infer<typeof tokenRow> & {
  readonly graphs: readonly string[] | null;
};

type Stored = NonNullable<Awaited<ReturnType<Transaction["agentToken"]["findFirst"]>>>;

const readRow = (row: Stored): AgentToken => ({ ...tokenRow.parse(row), graphs: row.allGraphs ? null : row.graphs });

const MAX_LISTED = 500;

export type ListedToken = AgentToken & { readonly ownerName: string };

export const listAgentTokens = (workspaceId: string, ownerId: string | null): Promise<readonly ListedToken[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.agentToken.findMany({
      where: { workspaceId, ...(ownerId === null ? {} : { ownerId }) },
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
      take: MAX_LISTED,
    });
    const names = await getNamesIn(
      tx,
      workspaceId,
      rows.map((row) => row.ownerId),
    );

    return rows.map((row) => ({ ...readRow(row), ownerName: names[row.ownerId] ?? "" }));
  });

export const getAgentToken = async (workspaceId: string, id: string): Promise<AgentToken | null> => {
  const row = await scopeToWorkspace(workspaceId).agentToken.findFirst({ where: { workspaceId, id } });

  return row && readRow(row);
};

export type ShownToken = {
  readonly workspaceId: string;
  readonly token: AgentToken;
  readonly owner: (Standing & { readonly disabled: boolean }) | null;
};

const MOST_AT_ONCE = 200;

const workspaceRow = z.object({ workspace: z.string().nullable() });

const findWorkspace = batchCalls(async (_all: string, hashes: readonly string[]) => {
  const text = `select agent_token_workspace(hash) as workspace from unnest(${hideValue("text[]", 1)}) with ordinality as asked (hash, place) order by place`;

  return (await queryRows(getPool(), workspaceRow, { name: "token-workspaces", text, values: [hashes] })).map(({ workspace }) => workspace);
}, MOST_AT_ONCE);

const shownRow = tokenRow.extend({
  hash: z.string(),
  graphs: z.array(z.string()).nullable(),
  role: roleSchema.nullable().catch(null),
  auditor: z.boolean().nullable(),
  disabled: z.boolean().nullable(),
});

const SHOWN = columnsOf(
  shownRow,
  {
    environments: "coalesce(t.environments, '{}')",
    graphs: "case when t.all_graphs then null else coalesce(t.graphs::text[], '{}') end",
    role: "m.role",
    auditor: "m.auditor",
    disabled: "m.disabled_at is not null",
  },
  "t.",
);

const readShown = batchCalls(
  (workspaceId, hashes: readonly string[]) =>
    runRead(workspaceId, async (client) => {
      const text = `select ${SHOWN} from agent_token t
        left join membership m on m.workspace_id = t.workspace_id and m.user_id = t.owner_id
        where t.workspace_id = $1 and t.hash = any ($2::text[])`;
      const rows = await queryRows(client, shownRow, { name: "shown-tokens", text, values: [workspaceId, [...new Set(hashes)]] });
      const byHash = new Map(
        rows.map(({ hash, role, auditor, disabled, ...token }): [string, ShownToken] => {
          const owner = role === null ? null : { role, auditor: auditor === true, disabled: disabled === true };

          return [hash, { workspaceId, token, owner }];
        }),
      );

      return hashes.map((hash) => byHash.get(hash) ?? null);
    }),
  MOST_AT_ONCE,
);

export const findAgentToken = async (hash: string): Promise<ShownToken | null> => {
  const workspaceId = await findWorkspace("", hash);

  return workspaceId === null ? null : readShown(workspaceId, hash);
};

const familyRow = z.object({ workspaceId: z.string(), id: z.string() });

export const findGrant = async (familyKey: string): Promise<{ readonly workspaceId: string; readonly token: AgentToken } | null> => {
  const text = `select workspace_id as "workspaceId", id from agent_token_of_family($1)`;
  const found = await queryRow(getPool(), familyRow, { text, values: [familyKey] });
  const token = found && (await getAgentToken(found.workspaceId, found.id));

  return found && token ? { workspaceId: found.workspaceId, token } : null;
};

const TOUCH_MS = 60_000;

export const touchAgentToken = async (
  workspaceId: string,
  { id, lastUsedAt }: Pick<AgentToken, "id" | "lastUsedAt">,
  at: number,
): Promise<void> => {
  if (lastUsedAt !== null && lastUsedAt >= at - TOUCH_MS) return;
  const before = new Date(at - TOUCH_MS);
  await scopeToWorkspace(workspaceId).agentToken.updateMany({
    where: { workspaceId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
    data: { lastUsedAt: new Date(at) },
  });
};
