import { z } from "zod";
import { isTerminal, RUN_STATUSES } from "@/lib/engine/event";
import { DEFAULT_ENVIRONMENTS, getLast } from "@/lib/environments/environment";
import { RUN_DURATION_SECONDS, type RunFilter } from "@/lib/engine/run-filter";
import { toDayMs } from "@/lib/saved-views";
import { runRead } from "@/server/db/client";
import { queryRuns, type RunRow } from "@/server/store/runs/runs";
import { escapeLike } from "@/server/store/sql/like";
import { prepareQuery, queryRow } from "@/server/store/sql/rows";

/** `<created at in ms>.<id>` of a page's last row. */
export const runCursorSchema = z.string().regex(/^\d{1,15}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

export type RunPage = { readonly cursor: string | null; readonly limit: number };
export type RunReader = {
  readonly workspaceId: string;
  readonly userId: string;
  /** Graphs that the reader is bound to. */
  readonly graphs?: readonly string[] | null;
};

const LEAST = "00000000-0000-0000-0000-000000000000";

const idsFrom = (text: string): { readonly least: string; readonly most: string } | null => {
  const typed = text.toLowerCase();
  if (typed.length < 2 || typed.length > LEAST.length || !/^[0-9a-f-]+$/u.test(typed)) return null;
  const filled = (end: "0" | "f") => typed + LEAST.slice(typed.length).replaceAll("0", end);
  const isId = (id: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

  return isId(filled("0")) ? { least: filled("0"), most: filled("f") } : null;
};

/** The SQL contains no input. */
type Where = { readonly all: readonly string[]; readonly values: readonly unknown[] };

const NOTHING: Where = { all: [], values: [] };

/** @param condition with `?` per value */
const and = ({ all, values }: Where, condition: string, ...more: readonly unknown[]): Where => {
  let at = values.length;

  return { all: [...all, condition.replaceAll("?", () => `$${(at += 1)}`)], values: [...values, ...more] };
};

/** Looks names up once, not per run. `$1`: the workspace. */
const withText = (where: Where, text: string): Where => {
  const contains = `%${escapeLike(text)}%`;
  const ids = idsFrom(text);
  const names = `r.current_node ilike ?
      or r.graph_id in (select id from graph where workspace_id = $1 and name ilike ?)
      or r.initiator_id in (select m.user_id from membership m join app_user p on p.id = m.user_id
        where m.workspace_id = $1 and p.name ilike ?)`;

  return ids
    ? and(where, `(${names} or r.id between ? and ?)`, contains, contains, contains, ids.least, ids.most)
    : and(where, `(${names})`, contains, contains, contains);
};

const WAITING = `exists (select 1 from approval a where a.workspace_id = r.workspace_id and a.run_id = r.id and a.status = 'open')`;

const ACTIVE = RUN_STATUSES.filter((status) => !isTerminal(status))
  .map((status) => `'${status}'`)
  .join(", ");

const whereOf = ({ workspaceId, userId, graphs = null }: RunReader, filter: RunFilter): Where => {
  let where = and(NOTHING, "r.workspace_id = ?", workspaceId);
  if (graphs !== null) where = and(where, "r.graph_id = any(?::uuid[])", [...graphs]);
  if (filter.status !== null) where = and(where, "r.status = ?", filter.status);
  if (filter.graphId !== null) where = and(where, "r.graph_id = ?", filter.graphId);
  if (filter.refused) where = and(where, "r.refusals > 0");
  if (filter.simulated !== null) where = and(where, "r.simulated = ?", filter.simulated);
  if (filter.mine) where = and(where, "r.initiator_id = ?", userId);
  if (filter.active) where = and(where, `r.status in (${ACTIVE})`);
  if (filter.nearBudget) where = and(where, "r.budget_percent >= 75");
  if (filter.waiting) where = and(where, WAITING);
  if (filter.from !== null) where = and(where, "r.created_at >= to_timestamp(?::double precision / 1000)", toDayMs(filter.from));
  if (filter.to !== null) where = and(where, "r.created_at < to_timestamp(?::double precision / 1000)", toDayMs(filter.to, true));
  if (filter.took !== null)
    where = and(where, "coalesce(r.ended_at, now()) - r.created_at >= make_interval(secs => ?)", RUN_DURATION_SECONDS[filter.took]);
  if (filter.environment !== null) where = and(where, "coalesce(r.environment, ?) = ?", getLast(DEFAULT_ENVIRONMENTS), filter.environment);
  if (filter.model !== null)
    where = and(where, "exists (select from model_usage u where u.workspace_id = $1 and u.run_id = r.id and u.model = ?)", filter.model);

  return filter.text === "" ? where : withText(where, filter.text);
};

const beside = (where: Where, side: "<" | ">", cursor: string | null): Where => {
  if (cursor === null) return where;
  const [at = "", id = ""] = cursor.split(".");

  return and(where, `(r.created_at, r.id) ${side} (to_timestamp(?::double precision / 1000), ?::uuid)`, Number(at), id);
};

/** Newest first. */
export const listRuns = (
  reader: RunReader,
  filter: RunFilter,
  { cursor, limit }: RunPage,
): Promise<{ runs: RunRow[]; nextCursor: string | null }> =>
  runRead(
    reader.workspaceId,
    async (client) => {
      const { all, values } = beside(whereOf(reader, filter), "<", cursor);
      const rows = await queryRuns(client, {
        from: `(select * from run r where ${all.join(" and ")} order by r.created_at desc, r.id desc limit $${values.length + 1}) r`,
        tail: "order by r.created_at desc, r.id desc",
        values: [...values, limit + 1],
      });
      const runs = rows.slice(0, limit);
      const last = runs.at(-1);

      return { runs, nextCursor: rows.length > limit && last ? `${last.createdAt}.${last.id}` : null };
    },
    // Searched text tells the planner nothing.
    filter.text === "" ? "auto" : "generic",
  );

const newerRow = z.object({ newer: z.number() });

const MOST_NEWER = 100;

/** Current status of these runs and the number of newer ones. @param since the newest known; null: none */
export const listRunsNow = (
  reader: RunReader,
  filter: RunFilter,
  { ids, since }: { readonly ids: readonly string[]; readonly since: string | null },
): Promise<{ runs: RunRow[]; newer: number }> =>
  runRead(reader.workspaceId, async (client) => {
    const tail = "where r.workspace_id = $1 and r.id = any($2::uuid[])";
    const runs = await queryRuns(client, { from: "run r", tail, values: [reader.workspaceId, [...ids]] });
    const { all, values } = beside(whereOf(reader, filter), ">", since);
    const text = `select count(*)::int as newer from (select 1 from run r where ${all.join(" and ")} limit ${MOST_NEWER}) r`;
    const counted = await queryRow(client, newerRow, prepareQuery({ text, values }));

    return { runs, newer: counted?.newer ?? 0 };
  });
