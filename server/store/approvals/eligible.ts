/** Who may decide a request, as far as its row `a` tells; the control plane decides. */
import { Prisma } from "@/server/db/generated/client";

/** A time, ms since 1970, as SQL. */
export const toSqlTime = (ms: number): Prisma.Sql => Prisma.sql`to_timestamp(${ms}::double precision / 1000)`;

export type Reader = {
  readonly workspaceId: string;
  readonly userId: string;
  /** Null: decides nothing. */
  readonly role: string | null;
  readonly nowMs: number;
};

/** True if the reader may decide the row. */
export const isMine = ({ userId, role, nowMs }: Reader): Prisma.Sql => Prisma.sql`coalesce(
  a.status = 'open' and a.expires_at > ${toSqlTime(nowMs)} and a.role = ${role}::text and not ${userId}::uuid = any (a.barred), false)`;

/** Selects the members who may decide the row. */
export const selectDeciders = Prisma.sql`
  select m.user_id from membership m join app_user u on u.id = m.user_id
  where m.workspace_id = a.workspace_id and m.role = a.role and u.disabled_at is null and not m.user_id = any (a.barred)`;

/** True if the aside still hides the row: its time lasts, and the row was not escalated since. */
const isInForce = (aside: "o" | "s", nowMs: number): Prisma.Sql => {
  const from = Prisma.raw(aside);

  return Prisma.sql`${from}.until > ${toSqlTime(nowMs)} and ${from}.created_at > coalesce(a.escalated_at, '-infinity')`;
};

/** Selects those of them who have not set it aside. */
export const selectAttentive = (nowMs: number): Prisma.Sql => Prisma.sql`${selectDeciders}
    and not exists (
      select from approval_aside o where o.approval_id = a.id and o.user_id = m.user_id and ${isInForce("o", nowMs)})`;

/** True if the reader has set the row aside, and is not the last one who may decide it. */
export const isAside = (reader: Reader): Prisma.Sql => Prisma.sql`(
  exists (
    select from approval_aside s
    where s.approval_id = a.id and s.user_id = ${reader.userId}::uuid and s.workspace_id = ${reader.workspaceId}::uuid
      and ${isInForce("s", reader.nowMs)})
  and (not ${isMine(reader)} or exists (${selectAttentive(reader.nowMs)})))`;
