/** Approval policies, written only by the runner. */
import { z } from "zod";
import { approvalsSchema, type PolicySettings } from "@/lib/approval-policy/command";
import { mergeCalls } from "@/lib/merge-calls";
import { getPool, runInWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { columnsOf, queryRows, type SqlClient } from "@/server/store/sql/rows";

export type PolicyRow = PolicySettings & {
  readonly requestedAtMs: number | null;
};

const storedRow = z.object({
  environment: z.string(),
  approvals: approvalsSchema.nullable(),
  requestId: z.string().nullable(),
  requestedBy: z.string().nullable(),
  requestedAt: z.date().nullable(),
});

type PolicyRows = ReadonlyMap<string, PolicyRow>;

const toRow = ({ approvals, requestId: id, requestedBy: by, requestedAt }: z.infer<typeof storedRow>): PolicyRow => ({
  approvals,
  request: id === null || by === null ? null : { id, by },
  requestedAtMs: requestedAt?.getTime() ?? null,
});

const find = async (client: SqlClient, workspaceId: string): Promise<PolicyRows> => {
  const rows = await queryRows(client, storedRow, {
    name: "approval-policy",
    text: `select ${columnsOf(storedRow)} from approval_policy where workspace_id = $1::uuid`,
    values: [workspaceId],
  });

  return new Map(rows.map((row) => [row.environment, toRow(row)]));
};

const readRows = mergeCalls((workspaceId: string) => find(getPool(), workspaceId));

export const readPolicyRow = async (workspaceId: string, environment: string | null): Promise<PolicyRow | null> =>
  (await readRows(workspaceId)).get(environment ?? "") ?? null;

/** Reads under row-level security. */
export const findScopedPolicyRows = (workspaceId: string): Promise<PolicyRows> =>
  runInWorkspace(workspaceId, (tx) => find(tx, workspaceId));

export const writePolicyRow = async (
  tx: LedgerTransaction,
  place: { readonly workspaceId: string; readonly environment: string | null },
  { approvals, request }: PolicySettings,
  atMs: number,
): Promise<void> => {
  const key = { ...place, environment: place.environment ?? "" };
  const row = {
    approvals,
    requestId: request?.id ?? null,
    requestedBy: request?.by ?? null,
    requestedAt: request ? new Date(atMs) : null,
  };
  await tx.approvalPolicy.upsert({ where: { workspaceId_environment: key }, create: { ...key, ...row }, update: row });
};
