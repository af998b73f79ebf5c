import { z } from "zod";
import { getDatabase, getPool } from "@/server/db/client";
import { columnsOf, queryRow } from "@/server/store/sql/rows";

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
});
export type ApprovalFacts = z.infer<typeof approvalRow>;

/** Excludes the prompt, which a graph or agent wrote. */
export const getApprovalFacts = (workspaceId: string, id: string): Promise<ApprovalFacts | null> =>
  queryRow(getPool(), approvalRow, {
    text: `select ${columnsOf(approvalRow, { ...GRAPH_NAME, graphId: "r.graph_id" }, "a.")}
     from approval a join run r on r.id = a.run_id ${WITH_GRAPH} where a.workspace_id = $1 and a.id = $2`,
    values: [workspaceId, id],
  });

/** Returns whom a reminder is for, or null. */
export const findReminder = (workspaceId: string, approvalId: string, percent: number): Promise<{ recipients: string[] } | null> =>
  getDatabase().approvalReminder.findFirst({ where: { workspaceId, approvalId, percent }, select: { recipients: true } });
