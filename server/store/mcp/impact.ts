import { z } from "zod";
import { runRead, scopeToWorkspace } from "@/server/db/client";
import { columnsOf, queryRows } from "@/server/store/sql/rows";

const MOST_APPROVALS = 50;
const MOST_RUNS = 500;

const approvalSchema = z.object({
  id: z.string(),
  runId: z.string(),
  node: z.string(),
  tool: z.string(),
  status: z.enum(["open", "void"]),
});
export type NamedApproval = z.infer<typeof approvalSchema>;

export type LiveRun = { readonly id: string; readonly graphHash: string; readonly status: string };

/** The 50 oldest: open approvals, and void ones holding their run. */
export const listApprovalsNaming = (workspaceId: string, server: string): Promise<readonly NamedApproval[]> =>
  runRead(workspaceId, (client) =>
    queryRows(client, approvalSchema, {
      text: `select ${columnsOf(approvalSchema, {}, "a.")} from approval a join run r on r.id = a.run_id
      where a.workspace_id = $1 and a.server = $2 and a.tool is not null
        and (a.status = 'open' or (a.status = 'void' and r.status = 'waiting' and not exists (
          select 1 from approval later where later.run_id = a.run_id and later.opened_at >= a.opened_at and later.id <> a.id)))
      order by a.opened_at, a.id limit ${MOST_APPROVALS}`,
      values: [workspaceId, server],
    }),
  );

/** The 500 newest unfinished runs. */
export const listLiveRuns = (workspaceId: string): Promise<readonly LiveRun[]> =>
  scopeToWorkspace(workspaceId).run.findMany({
    where: { workspaceId, frozen: null, status: { in: ["pending", "scheduled", "running", "waiting", "retrying"] } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_RUNS,
    select: { id: true, graphHash: true, status: true },
  });
