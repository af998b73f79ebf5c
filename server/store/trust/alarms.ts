import { z } from "zod";
import { ALARM_KINDS, type AlarmKind } from "@/lib/trust-alarm";
import { runInWorkspace, getPool } from "@/server/db/client";
import type { LedgerClient } from "@/server/store/runs/attempts";

export type NewAlarm = {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: AlarmKind;
  readonly runId: string | null;
  readonly detail: string;
  /** ms since 1970 */
  readonly at: number;
};

/** Runner's role only. @returns false when already open */
export const insertAlarm = async ({ workspaceId, id, kind, runId, detail, at }: NewAlarm): Promise<boolean> => {
  const { rowCount } = await getPool().query(
    `insert into trust_alarm (workspace_id, id, kind, run_id, detail, raised_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::double precision / 1000)) on conflict do nothing`,
    [workspaceId, id, kind, runId, detail, at],
  );

  return rowCount === 1;
};

const MOST = 50;

/** Newest first. */
export const openAlarms = (workspaceId: string) =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.trustAlarm.findMany({
      where: { workspaceId, acknowledgedAt: null },
      orderBy: [{ raisedAt: "desc" }, { id: "asc" }],
      take: MOST,
    });

    return rows.flatMap(({ id, kind, runId, detail, raisedAt }) => {
      const known = z.enum(ALARM_KINDS).safeParse(kind).data;

      return known ? [{ id, kind: known, run_id: runId, detail, raised_at: raisedAt.getTime() }] : [];
    });
  });

/** Returns whether such an alarm is open. */
export const isAlarmOpen = async (client: LedgerClient, workspaceId: string, id: string): Promise<boolean> =>
  (await client.query("select 1 from trust_alarm where workspace_id = $1 and id = $2 and acknowledged_at is null", [workspaceId, id])).rows
    .length > 0;

export const acknowledgeAlarm = async (
  client: LedgerClient,
  workspaceId: string,
  id: string,
  userId: string,
  at: number,
): Promise<void> => {
  await client.query(
    `update trust_alarm set acknowledged_at = to_timestamp($4::double precision / 1000), acknowledged_by = $3
     where workspace_id = $1 and id = $2 and acknowledged_at is null`,
    [workspaceId, id, userId, at],
  );
};
