import { z } from "zod";
import { ALARM_KINDS, type AlarmKind } from "@/lib/trust-alarm";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

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
export const insertAlarm = async ({ at, ...alarm }: NewAlarm): Promise<boolean> => {
  const { count } = await getDatabase().trustAlarm.createMany({ data: { ...alarm, raisedAt: new Date(at) }, skipDuplicates: true });

  return count === 1;
};

const MOST = 50;

/** Newest first. */
export const openAlarms = async (workspaceId: string) => {
  const rows = await scopeToWorkspace(workspaceId).trustAlarm.findMany({
    where: { workspaceId, acknowledgedAt: null },
    orderBy: [{ raisedAt: "desc" }, { id: "asc" }],
    take: MOST,
  });

  return rows.flatMap(({ id, kind, runId, detail, raisedAt }) => {
    const known = z.enum(ALARM_KINDS).safeParse(kind).data;

    return known ? [{ id, kind: known, runId, detail, raisedAt: raisedAt.getTime() }] : [];
  });
};

export const isAlarmOpen = async (tx: LedgerTransaction, workspaceId: string, id: string): Promise<boolean> =>
  (await tx.trustAlarm.count({ where: { workspaceId, id, acknowledgedAt: null } })) > 0;

export const acknowledgeAlarm = async (
  tx: LedgerTransaction,
  workspaceId: string,
  id: string,
  acknowledgedBy: string,
  at: number,
): Promise<void> => {
  await tx.trustAlarm.updateMany({
    where: { workspaceId, id, acknowledgedAt: null },
    data: { acknowledgedAt: new Date(at), acknowledgedBy },
  });
};
