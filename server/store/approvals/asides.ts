/** Asides change the lists that people see, never what they may decide. */
import { z } from "zod";
import { runInWorkspace, runRead, scopeToWorkspace } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { isAside, toSqlTime, type Reader } from "@/server/store/approvals/eligible";
import { prepareQuery, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

const asideKindSchema = z.enum(["snoozed", "not_mine"]);

type Person = Pick<Reader, "workspaceId" | "userId">;

type Aside = {
  readonly approvalIds: readonly string[];
  readonly kind: z.infer<typeof asideKindSchema>;
  /** ms since 1970; null: until the request changes. */
  readonly untilMs: number | null;
  readonly reason: string | null;
  readonly nowMs: number;
};

/** A request comes back this long before it expires. */
const LATEST = Prisma.raw("a.expires_at - least(interval '1 hour', (a.expires_at - a.opened_at) / 10)");

const idRow = z.object({ approvalId: z.string() });

/** Sets open requests aside, except snoozes of one about to expire. @returns the ids set aside */
export const setAside = async ({ workspaceId, userId }: Person, aside: Aside): Promise<readonly string[]> => {
  const { approvalIds, kind, untilMs, reason, nowMs } = aside;
  const now = toSqlTime(nowMs);
  const until = untilMs === null ? Prisma.sql`null::timestamptz` : toSqlTime(untilMs);
  const statement = Prisma.sql`
    insert into approval_aside (workspace_id, approval_id, user_id, kind, until, reason, created_at)
    select a.workspace_id, a.id, ${userId}::uuid, ${kind}::text, least(${until}, ${LATEST}), ${reason}::text, ${now}
    from approval a
    where a.workspace_id = ${workspaceId}::uuid and a.id = any (${[...approvalIds]}::uuid[]) and a.status = 'open'
      and (${kind}::text = 'not_mine' or ${LATEST} > ${now})
    on conflict (approval_id, user_id) do update
      set kind = excluded.kind, until = excluded.until, reason = excluded.reason, created_at = excluded.created_at
    returning approval_id as "approvalId"`;
  const rows = await runInWorkspace(workspaceId, (tx) => queryRows(tx, idRow, statement));

  return rows.map(({ approvalId }) => approvalId);
};

/** Shows requests again. */
export const bringBack = async ({ workspaceId, userId }: Person, approvalIds: readonly string[]): Promise<void> => {
  await scopeToWorkspace(workspaceId).approvalAside.deleteMany({ where: { workspaceId, userId, approvalId: { in: [...approvalIds] } } });
};

const asideRow = z.object({
  userId: z.string(),
  kind: asideKindSchema,
  until: msSchema,
  reason: z.string().nullable(),
  createdAt: msSchema,
});

/** Lists the asides of a request, oldest first. */
export const listAsides = async (workspaceId: string, approvalId: string): Promise<readonly z.infer<typeof asideRow>[]> => {
  const rows = await scopeToWorkspace(workspaceId).approvalAside.findMany({
    where: { workspaceId, approvalId },
    orderBy: { createdAt: "asc" },
    select: { userId: true, kind: true, until: true, reason: true, createdAt: true },
  });

  return z.array(asideRow).parse(rows);
};

const countRow = z.object({ open: z.number() });

/** Counts open requests not set aside by the reader. */
export const countOpenFor = async (reader: Reader): Promise<number> => {
  const statement = Prisma.sql`
    select count(*)::int as open from approval a
    where a.workspace_id = ${reader.workspaceId}::uuid and a.status = 'open' and not ${isAside(reader)}`;
  const row = await runRead(reader.workspaceId, (client) => queryRow(client, countRow, prepareQuery(statement)));

  return row?.open ?? 0;
};
