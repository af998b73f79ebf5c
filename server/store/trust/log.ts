import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { trustTypeSchema, type TrustEvent } from "@/lib/engine/labels/trust-event";
import { resolveTimes, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { getDatabase, runRead } from "@/server/db/client";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";
import { Prisma } from "@/server/db/generated/client";

/** `<at in ms>.<run>.<seq>.<index>` of a page's last row. */
export const trustCursorSchema = z.string().regex(/^\d{1,15}\.[0-9a-f-]{36}\.\d{1,9}\.\d{1,9}$/);

const eventRow = z.object({
  run: z.string(),
  seq: z.number(),
  index: z.number(),
  at: msSchema,
  type: trustTypeSchema,
  node: z.string().nullable(),
  principal: z.string(),
  path: z.string().nullable(),
  detail: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });

        return z.NEVER;
      }
    })
    .pipe(z.record(z.string(), jsonSchema)),
});

const EVENT = columnsOf(eventRow, { run: "run_id" });

const cursorOf = ({ at, run, seq, index }: TrustEvent): string => `${at}.${run}.${seq}.${index}`;

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

type Page = { readonly cursor: string | null; readonly limit: number; readonly nowMs: number };

const matching = (workspaceId: string, filter: TrustFilter, nowMs: number): Prisma.Sql => {
  const { fromMs, toMs } = resolveTimes(filter, nowMs);

  return Prisma.sql`workspace_id = ${workspaceId}::uuid
    and (cardinality(${filter.types}::text[]) = 0 or type = any(${filter.types}::text[]))
    and (${filter.who}::text = '' or strpos(lower(principal), lower(${filter.who}::text)) > 0 or principal in (
      select 'user:' || u.id from membership m join app_user u on u.id = m.user_id
      where m.workspace_id = ${workspaceId}::uuid and strpos(lower(u.name), lower(${filter.who}::text)) > 0))
    and (${filter.node}::text = '' or strpos(lower(node), lower(${filter.node}::text)) > 0)
    and (${filter.path}::text = '' or strpos(lower(path), lower(${filter.path}::text)) > 0)
    and (${filter.run}::text = '' or starts_with(run_id::text, lower(${filter.run}::text)))
    and (${dateOf(fromMs)}::timestamptz is null or at >= ${dateOf(fromMs)}::timestamptz)
    and (${dateOf(toMs)}::timestamptz is null or at < ${dateOf(toMs)}::timestamptz)
    and (${filter.people}::text is null or strpos(detail, '"people":[]') > 0)`;
};

const after = (cursor: string | null): Prisma.Sql => {
  const [at, run, seq, index] = cursor?.split(".") ?? [];

  return cursor === null
    ? Prisma.empty
    : Prisma.sql`and (at, run_id, seq, index) < (${dateOf(Number(at))}::timestamptz, ${run}::uuid, ${Number(seq)}::int, ${Number(index)}::int)`;
};

/** A page, newest first. */
export const listTrust = (
  workspaceId: string,
  filter: TrustFilter,
  { cursor, limit, nowMs }: Page,
): Promise<{ events: TrustEvent[]; nextCursor: string | null }> =>
  runRead(workspaceId, async (client) => {
    const page = Prisma.sql`
      select ${Prisma.raw(EVENT)} from trust_event
      where ${matching(workspaceId, filter, nowMs)} ${after(cursor)}
      order by at desc, run_id desc, seq desc, index desc limit ${limit + 1}::int`;
    const found: TrustEvent[] = await queryRows(client, eventRow, page);
    const events = found.slice(0, limit);
    const last = events.at(-1);

    return { events, nextCursor: found.length > limit && last ? cursorOf(last) : null };
  });

export const isMoreThan = (most: number, workspaceId: string, filter: TrustFilter, nowMs: number): Promise<boolean> =>
  runRead(workspaceId, async (client) => {
    const text = Prisma.sql`select 1 from trust_event where ${matching(workspaceId, filter, nowMs)} offset ${most}::int limit 1`;

    return (await queryRow(client, z.unknown(), text)) !== null;
  });

/** Runs with trust log rows. */
export const listTrustRuns = async (workspaceId: string): Promise<string[]> => {
  const rows = await getDatabase().trustEvent.groupBy({ by: ["runId"], where: { workspaceId } });

  return rows.map(({ runId }) => runId);
};

export type StoredPlace = { readonly seq: number; readonly index: number };

/** A run's trust log. Malformed rows keep only their place. */
export const listStoredTrust = async (workspaceId: string, runId: string, before: number | null): Promise<(TrustEvent | StoredPlace)[]> => {
  const rows = await getDatabase().trustEvent.findMany({
    where: { workspaceId, runId, ...(before === null ? {} : { seq: { lt: before } }) },
    orderBy: [{ seq: "asc" }, { index: "asc" }],
  });

  return rows.map(({ runId: run, ...row }) => eventRow.safeParse({ run, ...row }).data ?? { seq: row.seq, index: row.index });
};
