/** Approval policies, written only by the runner. */
import { z } from "zod";
import { approvalsSchema, type PolicySettings } from "@/lib/approval-policy/command";
import { mergeCalls } from "@/lib/merge-calls";
import { getPool, runInWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { columnsOf, queryRow, type SqlClient } from "@/server/store/sql/rows";

export type PolicyRow = PolicySettings & {
  readonly requestedAtMs: number | null;
};

const storedRow = z.object({
  approvals: approvalsSchema.nullable(),
  requestId: z.string().nullable(),
  requestedBy: z.string().nullable(),
  requestedAt: z.date().nullable(),
});

const find = async (client: SqlClient, workspaceId: string): Promise<PolicyRow | null> => {
  const row = await queryRow(client, storedRow, {
    name: "approval-policy",
    text: `select ${columnsOf(storedRow)} from approval_policy where workspace_id = $1::uuid`,
    values: [workspaceId],
  });
  if (!row) return null;
  const { approvals, requestId: id, requestedBy: by, requestedAt } = row;

  return { approvals, request: id === null || by === null ? null : { id, by }, requestedAtMs: requestedAt?.getTime() ?? null };
};

export const readPolicyRow = mergeCalls((workspaceId: string) => find(getPool(), workspaceId));

/** Reads under row-level security. */
export const findScopedPolicyRow = (workspaceId: string): Promise<PolicyRow | null> =>
  runInWorkspace(workspaceId, (tx) => find(tx, workspaceId));

export const writePolicyRow = async (
  tx: LedgerTransaction,
  workspaceId: string,
  { approvals, request }: PolicySettings,
  atMs: number,
): Promise<void> => {
  const row = {
    approvals,
    requestId: request?.id ?? null,
    requestedBy: request?.by ?? null,
    requestedAt: request ? new Date(atMs) : null,
  };
  await tx.approvalPolicy.upsert({
    where: { workspaceId_environment: { workspaceId, environment: "" } },
    create: { workspaceId, ...row },
    update: row,
  });
};
