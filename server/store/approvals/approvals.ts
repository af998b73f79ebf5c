/** The inbox: a projection for lists only. */
import { z } from "zod";
import { authorityClassSchema } from "@/lib/engine/approvals/authority-class";
import { gateReasonSchema } from "@/lib/engine/event";
import { roleSchema } from "@/lib/roles";
import { runRead, scopeToWorkspace } from "@/server/db/client";
import { columnsOf, prepareQuery, queryRow } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

export const approvalStatusSchema = z.enum(["open", "approved", "rejected", "expired", "void", "changes_requested", "superseded"]);

const approvalRow = z.object({
  id: z.string(),
  runId: z.string(),
  graphId: z.string(),
  graphName: z.string(),
  node: z.string(),
  reason: gateReasonSchema,
  prompt: z.string(),
  role: roleSchema,
  status: approvalStatusSchema,
  /** Null here and below: older than the column. */
  authority: authorityClassSchema.nullable(),
  agent: z.string().nullable(),
  openedAt: msSchema,
  expiresAt: msSchema,
  resolvedAt: msSchema.nullable(),
  /** Of a fork in which no tool is called. */
  simulated: z.boolean(),
});
export type ApprovalRow = Readonly<z.infer<typeof approvalRow>>;

const NAMED = columnsOf(approvalRow, { graphId: "r.graph_id", graphName: "coalesce(g.name, '')", simulated: "r.simulated" }, "a.");
const NAMES = `join run r on r.workspace_id = a.workspace_id and r.id = a.run_id
  left join graph g on g.workspace_id = a.workspace_id and g.id = r.graph_id`;

export const getApproval = (workspaceId: string, id: string): Promise<ApprovalRow | null> => {
  const text = `select ${NAMED} from approval a ${NAMES} where a.workspace_id = $1 and a.id = $2`;

  return runRead(workspaceId, (client) => queryRow(client, approvalRow, prepareQuery({ text, values: [workspaceId, id] })));
};

const MAX_WAITING = 10;

/** Pending approvals, latest first. */
export const openApprovalsOf = async (workspaceId: string, runId: string): Promise<{ id: string; node: string; openedAt: number }[]> => {
  const rows = await scopeToWorkspace(workspaceId).approval.findMany({
    where: { workspaceId, runId, status: "open" },
    orderBy: { openedAt: "desc" },
    take: MAX_WAITING,
    select: { id: true, node: true, openedAt: true },
  });

  return rows.map(({ id, node, openedAt }) => ({ id, node, openedAt: openedAt.getTime() }));
};
