/** The inbox: a projection for lists only. */
import { z } from "zod";
import { authorityClassSchema, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import { gateReasonSchema, type GateReason } from "@/lib/engine/event";
import { roleSchema, type Role } from "@/lib/roles";
import { runRead } from "@/server/db/client";

export const approvalStatusSchema = z.enum(["open", "approved", "rejected", "expired", "void", "changes_requested", "superseded"]);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

export type ApprovalRow = {
  readonly id: string;
  readonly runId: string;
  readonly graphId: string;
  readonly graphName: string;
  readonly node: string;
  readonly reason: GateReason;
  readonly prompt: string;
  readonly role: Role;
  readonly status: ApprovalStatus;
  /** Null here and below: older than the column. */
  readonly authority: AuthorityClass | null;
  readonly agent: string | null;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly resolvedAt: number | null;
};

const rowSchema = z.object({
  id: z.string(),
  run_id: z.string(),
  graph_id: z.string(),
  graph_name: z.string(),
  node: z.string(),
  reason: gateReasonSchema,
  prompt: z.string(),
  role: roleSchema,
  status: approvalStatusSchema,
  authority: authorityClassSchema.nullable(),
  agent: z.string().nullable(),
  opened_at: z.date(),
  expires_at: z.date(),
  resolved_at: z.date().nullable(),
});

const NAMED = `a.id, a.run_id, r.graph_id, coalesce(g.name, '') as graph_name, a.node, a.reason, a.prompt, a.role, a.status, a.authority,
    a.agent, a.opened_at, a.expires_at, a.resolved_at`;
const NAMES = `join run r on r.workspace_id = a.workspace_id and r.id = a.run_id
  left join graph g on g.workspace_id = a.workspace_id and g.id = r.graph_id`;

const approvalRows = (rows: readonly unknown[]): ApprovalRow[] =>
  z
    .array(rowSchema)
    .parse(rows)
    .map((row) => ({
      id: row.id,
      runId: row.run_id,
      graphId: row.graph_id,
      graphName: row.graph_name,
      node: row.node,
      reason: row.reason,
      prompt: row.prompt,
      role: row.role,
      status: row.status,
      authority: row.authority,
      agent: row.agent,
      openedAt: row.opened_at.getTime(),
      expiresAt: row.expires_at.getTime(),
      resolvedAt: row.resolved_at?.getTime() ?? null,
    }));

const MAX_APPROVALS = 200;

const LISTS = {
  open: `select ${NAMED} from (
      select * from approval where workspace_id = $1 and status = 'open' order by expires_at, id limit ${MAX_APPROVALS}
    ) a ${NAMES} order by a.expires_at, a.id`,
  resolved: `select ${NAMED} from (
      select * from approval where workspace_id = $1 and status <> 'open' order by opened_at desc, id desc limit ${MAX_APPROVALS}
    ) a ${NAMES} order by a.opened_at desc, a.id desc`,
} as const;

/** Open ones by expiry, the rest by latest opening. */
export const listApprovals = (workspaceId: string, which: keyof typeof LISTS): Promise<ApprovalRow[]> =>
  runRead(workspaceId, async (client) =>
    approvalRows((await client.query({ name: `approvals-${which}`, text: LISTS[which], values: [workspaceId] })).rows),
  );

export const countOpenApprovals = (workspaceId: string): Promise<number> =>
  runRead(workspaceId, async (client) => {
    const { rows } = await client.query<{ count: number }>({
      name: "approvals-open-count",
      text: "select count(*)::int as count from approval where workspace_id = $1 and status = 'open'",
      values: [workspaceId],
    });

    return rows[0]?.count ?? 0;
  });

/** Returns an approval, or null. */
export const getApproval = (workspaceId: string, id: string): Promise<ApprovalRow | null> =>
  runRead(workspaceId, async (client) => {
    const { rows } = await client.query({
      name: "approval",
      text: `select ${NAMED} from approval a ${NAMES} where a.workspace_id = $1 and a.id = $2`,
      values: [workspaceId, id],
    });

    return approvalRows(rows)[0] ?? null;
  });

const MAX_WAITING = 10;

/** Pending approvals, latest first. */
export const openApprovalsOf = (workspaceId: string, runId: string): Promise<{ id: string; node: string; openedAt: number }[]> =>
  runRead(workspaceId, async (client) => {
    const { rows } = await client.query<{ id: string; node: string; opened_at: Date }>({
      name: "approvals-of-run",
      text: `select id, node, opened_at from approval where workspace_id = $1 and run_id = $2 and status = 'open'
        order by opened_at desc limit ${MAX_WAITING}`,
      values: [workspaceId, runId],
    });

    return rows.map(({ id, node, opened_at: openedAt }) => ({ id, node, openedAt: openedAt.getTime() }));
  });
