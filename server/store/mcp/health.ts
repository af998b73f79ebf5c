import { getPool } from "@/server/db/client";

/** `null`: none since the last note. */
export type HealthNote = {
  readonly workspaceId: string;
  readonly server: string;
  readonly okAt: number | null;
  readonly failedAt: number | null;
  readonly lastFault: string | null;
  readonly lastMs: number;
  readonly calls: number;
  readonly faults: number;
};

/** Adds call health; counters saturate. Runner's role only. */
export const noteMcpHealth = async (note: HealthNote): Promise<void> => {
  await getPool().query(
    `update mcp_server set
       ok_at = coalesce(to_timestamp($3::double precision / 1000), ok_at),
       failed_at = coalesce(to_timestamp($4::double precision / 1000), failed_at),
       last_fault = coalesce($5, last_fault),
       last_ms = $6,
       calls = least(calls::bigint + $7, 2147483647),
       faults = least(faults::bigint + $8, 2147483647)
     where workspace_id = $1 and id = $2`,
    [note.workspaceId, note.server, note.okAt, note.failedAt, note.lastFault, note.lastMs, note.calls, note.faults],
  );
};
