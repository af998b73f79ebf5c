/** Eligibility by a request's row `a`; the control plane decides. */
import type { Seat } from "@/lib/people/approvers";
import { Prisma } from "@/server/db/generated/client";

/** A time, ms since 1970, as SQL. */
export const toSqlTime = (ms: number): Prisma.Sql => Prisma.sql`to_timestamp(${ms}::double precision / 1000)`;

export type Reader = {
  readonly workspaceId: string;
  readonly userId: string;
  /** Null: decides nothing. */
  readonly role: string | null;
  /** The reader's places where approvers are named. */
  readonly seats: readonly Seat[];
  readonly nowMs: number;
};

/** True if one of the reader's places is named, and none of its delegators is barred. */
const isNamed = ({ userId, seats }: Reader): Prisma.Sql => {
  const places = seats.map(({ for: chain, groups }) => ({ person: chain.at(-1) ?? userId, chain, groups }));

  return Prisma.sql`exists (
    select from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as s(person uuid, chain uuid[], groups text[])
    where (s.person = any (a.named_people) or s.groups && a.named_groups) and not s.chain && a.barred)`;
};

export const isMine = (reader: Reader): Prisma.Sql => Prisma.sql`coalesce(
  a.status = 'open' and a.expires_at > ${toSqlTime(reader.nowMs)} and a.role = ${reader.role}::text
  and not ${reader.userId}::uuid = any (a.barred) and (not a.named or ${isNamed(reader)}), false)`;

/** Selects the members who may decide the row. Groups have no rows: where one is named, everyone with the role counts. */
export const selectDeciders = Prisma.sql`
  select m.user_id from membership m
  where m.workspace_id = a.workspace_id and m.role = a.role and m.disabled_at is null and not m.user_id = any (a.barred)
    and (not a.named or m.user_id = any (a.named_people) or cardinality(a.named_groups) > 0)`;

/** True if the aside still hides the row: its time lasts, and no escalation followed. */
const isInForce = (aside: "o" | "s", nowMs: number): Prisma.Sql => {
  const from = Prisma.raw(aside);

  return Prisma.sql`${from}.until > ${toSqlTime(nowMs)} and ${from}.created_at > coalesce(a.escalated_at, '-infinity')`;
};

export const selectAttentive = (nowMs: number): Prisma.Sql => Prisma.sql`${selectDeciders}
    and not exists (
      select from approval_aside o where o.approval_id = a.id and o.user_id = m.user_id and ${isInForce("o", nowMs)})`;

/** True if the reader has set the row aside, and is not its last attentive decider. */
export const isAside = (reader: Reader): Prisma.Sql => Prisma.sql`(
  exists (
    select from approval_aside s
    where s.approval_id = a.id and s.user_id = ${reader.userId}::uuid and s.workspace_id = ${reader.workspaceId}::uuid
      and ${isInForce("s", reader.nowMs)})
  and (not ${isMine(reader)} or exists (${selectAttentive(reader.nowMs)})))`;
