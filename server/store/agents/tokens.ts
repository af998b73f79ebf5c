import { z } from "zod";
import { AGENT_SCOPES, type AgentScope } from "@/lib/engine/principal";
import { integritySchema, type Integrity } from "@/lib/graph/label";
import { tokenLimitsSchema, type TokenLimits } from "@/lib/outside/token-limits";
import type { Standing } from "@/lib/people/command";
import { roleSchema } from "@/lib/roles";
import { runInWorkspace, getPool, scopeToWorkspace, type Transaction } from "@/server/db/client";
import { queryRow } from "@/server/store/sql/rows";
import { getNamesIn } from "@/server/store/people/people";

export type AgentToken = {
  readonly id: string;
  /** Null: older than agent signatures. */
  readonly publicKey: string | null;
  readonly name: string;
  readonly hint: string;
  /** Without the graph. */
  readonly audience: string;
  readonly scopes: readonly AgentScope[];
  /** Null: all. */
  readonly graphs: readonly string[] | null;
  readonly integrity: Integrity;
  readonly strictErrors: boolean;
  readonly singleBlock: boolean;
  /** Null: defaults. */
  readonly limits: TokenLimits | null;
  readonly ownerId: string;
  /** Times: ms since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
};

type Stored = NonNullable<Awaited<ReturnType<Transaction["agentToken"]["findFirst"]>>>;

const readRow = (row: Stored): AgentToken => ({
  id: row.id,
  publicKey: row.publicKey,
  name: row.name,
  hint: row.hint,
  audience: row.audience,
  scopes: z.array(z.enum(AGENT_SCOPES)).parse(row.scopes),
  graphs: row.allGraphs ? null : row.graphs,
  integrity: integritySchema.parse(row.integrity),
  strictErrors: row.strictErrors,
  singleBlock: row.singleBlock,
  limits: tokenLimitsSchema.nullable().parse(row.limits),
  ownerId: row.ownerId,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  revokedAt: row.revokedAt?.getTime() ?? null,
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
});

const MAX_LISTED = 500;

export type ListedToken = AgentToken & { readonly ownerName: string };

/** Newest first. @param ownerId null: all */
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

/** With its owner's current state. */
export type ShownToken = {
  readonly workspaceId: string;
  readonly token: AgentToken;
  readonly owner: (Standing & { readonly disabled: boolean }) | null;
};

const workspaceRow = z.object({ workspace: z.string().nullable() });

/** Finds a token in any state. */
export const findAgentToken = async (hash: string): Promise<ShownToken | null> => {
  const text = "select agent_token_workspace($1) as workspace";
  const workspaceId = (await queryRow(getPool(), workspaceRow, { text, values: [hash] }))?.workspace;
  if (!workspaceId) return null;

  return runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.agentToken.findFirst({ where: { workspaceId, hash } });
    if (!row) return null;
    const member = await tx.membership.findFirst({
      where: { workspaceId, userId: row.ownerId },
      select: { role: true, auditor: true, user: { select: { disabledAt: true } } },
    });
    const role = roleSchema.safeParse(member?.role).data;
    const owner = member && role ? { role, auditor: member.auditor, disabled: member.user.disabledAt !== null } : null;

    return { workspaceId, token: readRow(row), owner };
  });
};

const TOUCH_MS = 60_000;

export const touchAgentToken = async (workspaceId: string, id: string, at: number): Promise<void> => {
  const before = new Date(at - TOUCH_MS);
  await scopeToWorkspace(workspaceId).agentToken.updateMany({
    where: { workspaceId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
    data: { lastUsedAt: new Date(at) },
  });
};
