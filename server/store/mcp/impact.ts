import { z } from "zod";
import { runInWorkspace } from "@/server/db/client";

const MOST_APPROVALS = 50;
const MOST_RUNS = 500;

const approvalSchema = z.object({
  id: z.string(),
  run_id: z.string(),
  node: z.string(),
  tool: z.string(),
  status: z.enum(["open", "void"]),
});
export type NamedApproval = z.infer<typeof approvalSchema>;

const runSchema = z.object({ id: z.string(), graph_hash: z.string(), status: z.string() });
export type LiveRun = z.infer<typeof runSchema>;

/** The 50 oldest: open approvals, and void ones holding their run. */
export const listApprovalsNaming = (workspaceId: string, server: string): Promise<readonly NamedApproval[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      select a.id, a.run_id, a.node, a.tool, a.status from approval a join run r on r.id = a.run_id
      where a.workspace_id = ${workspaceId}::uuid and a.server = ${server} and a.tool is not null
        and (a.status = 'open' or (a.status = 'void' and r.status = 'waiting' and not exists (
          select 1 from approval later where later.run_id = a.run_id and later.opened_at >= a.opened_at and later.id <> a.id)))
      order by a.opened_at, a.id limit ${MOST_APPROVALS}`;

    return z.array(approvalSchema).parse(rows);
  });

/** The 500 newest unfinished runs. */
export const listLiveRuns = (workspaceId: string): Promise<readonly LiveRun[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      select id, graph_hash, status from run
      where workspace_id = ${workspaceId}::uuid and frozen is null and status in ('pending', 'scheduled', 'running', 'waiting', 'retrying')
      order by created_at desc, id desc limit ${MOST_RUNS}`;

    return z.array(runSchema).parse(rows);
  });
