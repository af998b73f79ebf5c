/** The sweep is the runner's; the setting is the web process's. */
import { z } from "zod";
import { DEFAULT_REMINDERS } from "@/lib/webhooks/reminders";
import { getPool, scopeToWorkspace } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { selectAttentive, selectDeciders, toSqlTime } from "@/server/store/approvals/eligible";
import { queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

const AT_ONCE = 500;

const reminderRow = z.object({ workspaceId: z.string(), approvalId: z.string(), percent: z.number(), recipients: z.array(z.string()) });
export type Reminder = z.infer<typeof reminderRow>;

/**
 * Stores the latest due reminder of each waiting request, and queues its deliveries in the same transaction. Of concurrent sweeps, one
 * stores it. Leaves out people who set the request aside, unless no others remain.
 */
export const storeDueReminders = (nowMs: number): Promise<readonly Reminder[]> => {
  const now = toSqlTime(nowMs);

  return queryRows(
    getPool(),
    reminderRow,
    Prisma.sql`
      with due as (
        select distinct on (a.id) a.workspace_id, a.id, a.role, a.barred, a.named, a.named_people, a.named_groups, a.escalated_at, p.percent
        from approval a left join reminder_setting s on s.workspace_id = a.workspace_id
          cross join lateral unnest(coalesce(s.percents, ${[...DEFAULT_REMINDERS]}::int[])) as p(percent)
        where a.status = 'open' and a.expires_at > ${now} and a.opened_at + (a.expires_at - a.opened_at) * p.percent / 100 <= ${now}
          and not exists (select from approval_reminder r where r.approval_id = a.id and r.percent >= p.percent)
        order by a.id, p.percent desc
        limit ${AT_ONCE}
      )
      insert into approval_reminder (workspace_id, approval_id, percent, recipients, created_at)
      select a.workspace_id, a.id, a.percent,
        case when exists (${selectAttentive(nowMs)}) then array(${selectAttentive(nowMs)}) else array(${selectDeciders}) end, ${now}
      from due a
      on conflict do nothing
      returning workspace_id as "workspaceId", approval_id as "approvalId", percent, recipients`,
  );
};

const settingRow = z.object({ percents: z.array(z.number()), changedBy: z.string(), changedAt: msSchema });

/** Returns when the workspace reminds; null: at the default times. */
export const findReminderSetting = async (workspaceId: string): Promise<z.infer<typeof settingRow> | null> => {
  const row = await scopeToWorkspace(workspaceId).reminderSetting.findFirst({
    where: { workspaceId },
    select: { percents: true, changedBy: true, changedAt: true },
  });

  return row && settingRow.parse(row);
};

type Change = { readonly percents: readonly number[]; readonly changedBy: string; readonly nowMs: number };

export const setReminders = async (workspaceId: string, { percents, changedBy, nowMs }: Change): Promise<void> => {
  const setting = { percents: [...percents], changedBy, changedAt: new Date(nowMs) };
  await scopeToWorkspace(workspaceId).reminderSetting.upsert({
    where: { workspaceId },
    create: { workspaceId, ...setting },
    update: setting,
  });
};
