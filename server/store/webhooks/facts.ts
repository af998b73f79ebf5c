import { z } from "zod";
import { refusalCodeSchema } from "@/lib/refusal";
import { getDatabase, getPool } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { selectDeciders } from "@/server/store/approvals/eligible";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";

const runRow = z.object({
  id: z.string(),
  graphId: z.string(),
  graphName: z.string(),
  status: z.string(),
  simulated: z.boolean(),
  frozen: z.string().nullable(),
  updatedAt: z.date(),
});
export type RunFacts = z.infer<typeof runRow>;

const GRAPH_NAME = { graphName: "coalesce(g.name, '')" };
const WITH_GRAPH = "left join graph g on g.workspace_id = r.workspace_id and g.id = r.graph_id";

export const runFacts = (workspaceId: string, id: string): Promise<RunFacts | null> =>
  queryRow(getPool(), runRow, {
    text: `select ${columnsOf(runRow, GRAPH_NAME, "r.")} from run r ${WITH_GRAPH} where r.workspace_id = $1 and r.id = $2`,
    values: [workspaceId, id],
  });

export const findRunHead = (workspaceId: string, id: string) =>
  getDatabase().run.findFirst({ where: { workspaceId, id }, select: { graphHash: true, version: true, head: true } });

const refusalRow = z.object({ code: refusalCodeSchema, node: z.string().nullable() });

/** Records that one statement stores at most. */
const MOST_STORED = 128;

export const findRefusalBefore = (workspaceId: string, runId: string, version: number): Promise<z.infer<typeof refusalRow> | null> =>
  queryRow(getPool(), refusalRow, {
    text: `select body::jsonb -> 'refusal' ->> 'code' as code, body::jsonb ->> 'node' as node from ledger_record
     where workspace_id = $1 and run_id = $2 and seq < $3 and seq >= $3 - ${MOST_STORED} and body::jsonb ->> 'kind' = 'refusal'
     order by seq desc limit 1`,
    values: [workspaceId, runId, version],
  });

const approvalRow = z.object({
  id: z.string(),
  runId: z.string(),
  graphId: z.string(),
  graphName: z.string(),
  node: z.string(),
  reason: z.string(),
  role: z.string(),
  authority: z.string().nullable(),
  status: z.string(),
  openedAt: z.date(),
  expiresAt: z.date(),
  resolvedAt: z.date().nullable(),
  escalatedAt: z.date().nullable(),
  escalatedTo: z.string().nullable(),
});
export type ApprovalFacts = z.infer<typeof approvalRow>;

/** Excludes the prompt, which a graph or agent wrote. */
export const getApprovalFacts = (workspaceId: string, id: string): Promise<ApprovalFacts | null> =>
  queryRow(getPool(), approvalRow, {
    text: `select ${columnsOf(approvalRow, { ...GRAPH_NAME, graphId: "r.graph_id" }, "a.")}
     from approval a join run r on r.id = a.run_id ${WITH_GRAPH} where a.workspace_id = $1 and a.id = $2`,
    values: [workspaceId, id],
  });

export const findReminder = (workspaceId: string, approvalId: string, percent: number): Promise<{ recipients: string[] } | null> =>
  getDatabase().approvalReminder.findFirst({ where: { workspaceId, approvalId, percent }, select: { recipients: true } });

const idRow = z.object({ userId: z.string() });

export const listEscalatedTo = async (workspaceId: string, approvalId: string): Promise<readonly string[]> => {
  const rows = await queryRows(
    getPool(),
    idRow,
    Prisma.sql`
    select who.user_id as "userId" from approval a cross join lateral (
      ${selectDeciders} and a.escalated_to = 'everyone'
      union all
      select m.user_id from membership m
      where m.workspace_id = a.workspace_id and m.role = 'admin' and m.disabled_at is null and a.escalated_to = 'admins'
    ) who
    where a.workspace_id = ${workspaceId}::uuid and a.id = ${approvalId}::uuid`,
  );

  return rows.map(({ userId }) => userId);
};
