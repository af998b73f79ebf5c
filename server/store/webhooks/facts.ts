import { z } from "zod";
import { getPool } from "@/server/db/client";

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

const GRAPH = `r.graph_id as "graphId", coalesce(g.name, '') as "graphName"`;
const WITH_GRAPH = "left join graph g on g.workspace_id = r.workspace_id and g.id = r.graph_id";

export const runFacts = async (workspaceId: string, id: string): Promise<RunFacts | null> => {
  const { rows } = await getPool().query(
    `select r.id, ${GRAPH}, r.status, r.simulated, r.frozen, r.updated_at as "updatedAt"
     from run r ${WITH_GRAPH} where r.workspace_id = $1 and r.id = $2`,
    [workspaceId, id],
  );

  return rows[0] === undefined ? null : runRow.parse(rows[0]);
};

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
export const getApprovalFacts = async (workspaceId: string, id: string): Promise<ApprovalFacts | null> => {
  const { rows } = await getPool().query(
    `select a.id, a.run_id as "runId", ${GRAPH}, a.node, a.reason, a.role, a.authority, a.status,
       a.opened_at as "openedAt", a.expires_at as "expiresAt", a.resolved_at as "resolvedAt"
     from approval a join run r on r.id = a.run_id ${WITH_GRAPH} where a.workspace_id = $1 and a.id = $2`,
    [workspaceId, id],
  );

  return rows[0] === undefined ? null : approvalRow.parse(rows[0]);
};
