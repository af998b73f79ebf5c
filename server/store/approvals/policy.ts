/** Approval policies, written only by the runner. */
import { approvalsSchema, type PolicySettings } from "@/lib/approval-policy/command";
import { getDatabase, runInWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type PolicyRow = PolicySettings & {
  readonly requestedAtMs: number | null;
};

const find = async (client: Pick<LedgerTransaction, "approvalPolicy">, workspaceId: string): Promise<PolicyRow | null> => {
  const row = await client.approvalPolicy.findUnique({ where: { workspaceId } });
  if (!row) return null;
  const { requestId: id, requestedBy: by, requestedAt } = row;

  return {
    approvals: approvalsSchema.nullable().parse(row.approvals),
    request: id === null || by === null ? null : { id, by },
    requestedAtMs: requestedAt?.getTime() ?? null,
  };
};

/** Reads with the runner's role. */
export const readPolicyRow = (workspaceId: string): Promise<PolicyRow | null> => find(getDatabase(), workspaceId);

/** Reads under row-level security. */
export const findScopedPolicyRow = (workspaceId: string): Promise<PolicyRow | null> =>
  runInWorkspace(workspaceId, (tx) => find(tx, workspaceId));

/** Writes the row in its record's transaction. */
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
  await tx.approvalPolicy.upsert({ where: { workspaceId }, create: { workspaceId, ...row }, update: row });
};
