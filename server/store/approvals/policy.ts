/** Approval policies, written only by the runner. */
import { z } from "zod";
import { approvalsSchema, type PolicySettings } from "@/lib/approval-policy/command";
import { getPool, runRead } from "@/server/db/client";
import type { LedgerClient } from "@/server/store/runs/attempts";

export type PolicyRow = PolicySettings & {
  readonly requestedAtMs: number | null;
};

const rowSchema = z.object({
  approvals: approvalsSchema.nullable(),
  request_id: z.string().nullable(),
  requested_by: z.string().nullable(),
  requested_at: z.date().nullable(),
});

const select = async (client: LedgerClient, workspaceId: string): Promise<PolicyRow | null> => {
  const { rows } = await client.query(
    "select approvals, request_id, requested_by, requested_at from approval_policy where workspace_id = $1",
    [workspaceId],
  );
  if (rows[0] === undefined) return null;
  const { approvals, request_id: id, requested_by: by, requested_at: at } = rowSchema.parse(rows[0]);

  return { approvals, request: id === null || by === null ? null : { id, by }, requestedAtMs: at?.getTime() ?? null };
};

/** Reads with the runner's role. */
export const readPolicyRow = (workspaceId: string): Promise<PolicyRow | null> => select(getPool(), workspaceId);

/** Reads under row-level security. */
export const findScopedPolicyRow = (workspaceId: string): Promise<PolicyRow | null> =>
  runRead(workspaceId, (client) => select(client, workspaceId));

/** Writes the row in its record's transaction. */
export const writePolicyRow = async (
  client: LedgerClient,
  workspaceId: string,
  { approvals, request }: PolicySettings,
  atMs: number,
): Promise<void> => {
  await client.query(
    `insert into approval_policy (workspace_id, approvals, request_id, requested_by, requested_at)
     values ($1, $2, $3, $4, to_timestamp($5::double precision / 1000))
     on conflict (workspace_id) do update set approvals = excluded.approvals, request_id = excluded.request_id,
       requested_by = excluded.requested_by, requested_at = excluded.requested_at`,
    [workspaceId, approvals, request?.id ?? null, request?.by ?? null, request ? atMs : null],
  );
};
