/** The inbox: a projection of the ledger for lists. What an approval covers is read from the ledger itself. */
import { z } from "zod";
import { authorityClassSchema, type AuthorityClass } from "@/lib/engine/authority-class";
import { gateReasonSchema, type GateReason } from "@/lib/engine/event";
import { roleSchema, type Role } from "@/lib/roles";
import { inWorkspace, type Transaction } from "@/server/db/client";

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
  /** Null, as the next one: asked before this was kept. */
  readonly authority: AuthorityClass | null;
  readonly agent: string | null;
  /** Milliseconds since 1970, as the other times. */
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly resolvedAt: number | null;
};

type Stored = Awaited<ReturnType<Transaction["approval"]["findMany"]>>[number];

const withGraphs = async (tx: Transaction, workspaceId: string, rows: readonly Stored[]): Promise<ApprovalRow[]> => {
  const runs = await tx.run.findMany({
    where: { workspaceId, id: { in: rows.map((row) => row.runId) } },
    select: { id: true, graphId: true },
  });
  const graphs = await tx.graph.findMany({
    where: { workspaceId, id: { in: runs.map((run) => run.graphId) } },
    select: { id: true, name: true },
  });
  const graphOf = new Map(runs.map((run) => [run.id, run.graphId]));
  const names = new Map(graphs.map((graph) => [graph.id, graph.name]));

  return rows.map((row) => ({
    id: row.id,
    runId: row.runId,
    graphId: graphOf.get(row.runId) ?? "",
    graphName: names.get(graphOf.get(row.runId) ?? "") ?? "",
    node: row.node,
    reason: gateReasonSchema.parse(row.reason),
    prompt: row.prompt,
    role: roleSchema.parse(row.role),
    status: approvalStatusSchema.parse(row.status),
    authority: row.authority === null ? null : authorityClassSchema.parse(row.authority),
    agent: row.agent,
    openedAt: row.openedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    resolvedAt: row.resolvedAt?.getTime() ?? null,
  }));
};

const MAX_APPROVALS = 200;

/** Open ones by what expires first, the rest by what was opened last. */
export const listApprovals = (workspaceId: string, which: "open" | "resolved"): Promise<ApprovalRow[]> =>
  inWorkspace(workspaceId, async (tx) =>
    withGraphs(
      tx,
      workspaceId,
      await tx.approval.findMany({
        where: { workspaceId, status: which === "open" ? "open" : { not: "open" } },
        orderBy: which === "open" ? [{ expiresAt: "asc" }, { id: "asc" }] : [{ openedAt: "desc" }, { id: "desc" }],
        take: MAX_APPROVALS,
      }),
    ),
  );

export const countOpenApprovals = (workspaceId: string): Promise<number> =>
  inWorkspace(workspaceId, (tx) => tx.approval.count({ where: { workspaceId, status: "open" } }));

/** One approval, or null: one of another workspace does not exist. */
export const getApproval = (workspaceId: string, id: string): Promise<ApprovalRow | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const row = await tx.approval.findFirst({ where: { workspaceId, id } });
    if (!row) return null;
    const [approval] = await withGraphs(tx, workspaceId, [row]);

    return approval ?? null;
  });

/** What waits in a run now: opened last first. */
export const openApprovalsOf = (workspaceId: string, runId: string): Promise<{ id: string; node: string; openedAt: number }[]> =>
  inWorkspace(workspaceId, async (tx) => {
    const rows = await tx.approval.findMany({
      where: { workspaceId, runId, status: "open" },
      orderBy: { openedAt: "desc" },
      select: { id: true, node: true, openedAt: true },
      take: 10,
    });

    return rows.map((row) => ({ ...row, openedAt: row.openedAt.getTime() }));
  });
