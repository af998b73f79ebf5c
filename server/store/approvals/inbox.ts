import { z } from "zod";
import { authorityClassSchema, riskSchema, type Risk } from "@/lib/engine/approvals/authority-class";
import { signalCodeSchema } from "@/lib/engine/approvals/signals";
import { gateReasonSchema } from "@/lib/engine/event";
import { getAskedBefore, EXPIRING_MS, type InboxFilter } from "@/lib/engine/approvals/inbox";
import { toDayMs } from "@/lib/saved-views";
import { escalatesToSchema } from "@/lib/graph/kinds/fields";
import { roleSchema, type Role } from "@/lib/roles";
import { runRead } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { approvalStatusSchema } from "@/server/store/approvals/approvals";
import { isAside, isMine, toSqlTime as at, type Reader } from "@/server/store/approvals/eligible";
import { columnsOf, prepareQuery, queryRows, sendQuery } from "@/server/store/sql/rows";

const INBOX_PAGE = 200;

/** `<1 if changed since>.<place of the risk>.<sort ms>.<id>` of a page's last row. */
export const inboxCursorSchema = z.string().regex(/^[01]\.[012]\.-?\d{1,15}\.[0-9a-f-]{36}$/);

/** Highest risk first; rows older than the column count as high. An index has the same expression. */
const PLACE_OF_RISK = Prisma.raw("case risk when 'low' then 2 when 'medium' then 1 else 0 end");
const placeOfRisk = (risk: Risk | null): number => (risk === "low" ? 2 : risk === "medium" ? 1 : 0);

export type InboxQuestion = Reader & {
  readonly filter: InboxFilter;
  /** Graphs that the reader is bound to. */
  readonly graphs?: readonly string[] | null;
  readonly role: Role | null;
  /** Time of the order (ms since 1970): later changes move no rows under the pointer. */
  readonly sinceMs: number;
};

const itemRow = z.object({
  id: z.string(),
  runId: z.string(),
  graphId: z.string(),
  graphName: z.string(),
  node: z.string(),
  reason: gateReasonSchema,
  prompt: z.string(),
  role: roleSchema,
  status: approvalStatusSchema,
  /** Null here and below: older than the column. */
  authority: authorityClassSchema.nullable(),
  risk: riskSchema.nullable(),
  signals: z.array(signalCodeSchema),
  agent: z.string().nullable(),
  steered: z.boolean().nullable(),
  signature: z.string().nullable(),
  openedAt: z.number(),
  expiresAt: z.number(),
  escalatedAt: z.number().nullable(),
  escalatedTo: escalatesToSchema.nullable(),
  escalatedGroup: z.string().nullable(),
  resolvedAt: z.number().nullable(),
  mine: z.boolean(),
  named: z.boolean(),
  newer: z.boolean(),
  aside: z.boolean(),
  notMine: z.number(),
  simulated: z.boolean(),
});

const NOT_MINE = "(select count(*)::int from approval_aside s where s.approval_id = shown.id and s.kind = 'not_mine')";
const SIMULATED = "(select r.simulated from run r where r.id = shown.run_id)";

const inTab = ({ filter, sinceMs }: InboxQuestion): Prisma.Sql =>
  filter.tab === "open" ? Prisma.sql`(a.status = 'open' or a.resolved_at > ${at(sinceMs)})` : Prisma.sql`a.status <> 'open'`;

const waitedIn = ({ sinceMs }: InboxQuestion): Prisma.Sql => Prisma.sql`a.status = 'open' and a.opened_at <= ${at(sinceMs)}`;
const changedIn = ({ sinceMs }: InboxQuestion): Prisma.Sql => Prisma.sql`
  (a.status = 'open' and a.opened_at > ${at(sinceMs)} or a.status <> 'open' and a.resolved_at > ${at(sinceMs)})`;

const items = (question: InboxQuestion, which: Prisma.Sql): Prisma.Sql => {
  const { workspaceId, filter, sinceMs } = question;
  const isOpen = filter.tab === "open";

  return Prisma.sql`
    select a.workspace_id, a.id, a.run_id, a.node, a.reason, a.prompt, a.role, a.status, a.authority, a.risk, a.signals,
      a.agent, a.steered, a.signature, a.opened_at, a.expires_at, a.resolved_at, a.escalated_at, a.escalated_to, a.escalated_group,
      ${isMine(question)} as mine, ${isAside(question)} as aside, a.named,
      ${isOpen}::boolean and a.opened_at > ${at(sinceMs)} as newer
    from approval a
    where a.workspace_id = ${workspaceId}::uuid and ${which}`;
};

const LIKE_SIGNS = /[\\%_]/gu;

const matching = ({ filter, nowMs, graphs = null }: InboxQuestion): Prisma.Sql => {
  const { tab, mine, assigned, aside, risk, graph, age, expiring, from, to, model, text } = filter;
  const like = `%${text.trim().replaceAll(LIKE_SIGNS, (sign) => `\\${sign}`)}%`;
  const soon = nowMs + EXPIRING_MS;
  const conditions = [
    // Items just decided stay in place.
    ...(mine ? [Prisma.sql`(mine or status <> 'open')`] : []),
    ...(assigned ? [Prisma.sql`(mine and named or status <> 'open')`] : []),
    ...(tab === "open" ? [aside ? Prisma.sql`aside` : Prisma.sql`not aside`] : []),
    ...(risk === null ? [] : [Prisma.sql`risk = ${risk}::text`]),
    ...(graph === null ? [] : [Prisma.sql`graph_id = ${graph}::uuid`]),
    ...(graphs === null ? [] : [Prisma.sql`graph_id = any(${[...graphs]}::uuid[])`]),
    ...(age === null ? [] : [Prisma.sql`opened_at <= ${at(getAskedBefore(age, nowMs))}`]),
    ...(from === null ? [] : [Prisma.sql`opened_at >= ${at(toDayMs(from))}`]),
    ...(to === null ? [] : [Prisma.sql`opened_at < ${at(toDayMs(to, true))}`]),
    ...(model === null ? [] : [Prisma.sql`exists (select from model_usage u where u.run_id = item.run_id and u.model = ${model}::text)`]),
    ...(expiring ? [Prisma.sql`expires_at <= ${at(soon)}`] : []),
    ...(text.trim() === "" ? [] : [Prisma.sql`concat_ws(' ', prompt, node, agent, graph_name) ilike ${like}`]),
  ];

  return conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ");
};

const ORDERS = {
  open: Prisma.sql`order by newer, ${PLACE_OF_RISK}, expires_at, id`,
  decided: Prisma.raw("order by resolved_at desc nulls last, id"),
} as const;

const after = (tab: InboxFilter["tab"], cursor: string | null): Prisma.Sql => {
  if (cursor === null) return Prisma.empty;
  const [newer, place, sortMs = "", id] = cursor.split(".");
  const ms = Number(sortMs);

  return tab === "open"
    ? Prisma.sql`and (newer, ${PLACE_OF_RISK}, expires_at, id) > (${newer === "1"}::boolean, ${Number(place)}::int, ${at(ms)}, ${id}::uuid)`
    : Prisma.sql`and (resolved_at < ${at(-ms)} or resolved_at = ${at(-ms)} and id > ${id}::uuid)`;
};

const GRAPH_NAME = Prisma.raw("left join graph g on g.workspace_id = i.workspace_id and g.id =");

const named = (approvals: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select i.*, r.graph_id, coalesce(g.name, '') as graph_name from (${approvals}) i
  join run r on r.workspace_id = i.workspace_id and r.id = i.run_id
  ${GRAPH_NAME} r.graph_id`;

/** A generic plan would scan all runs. `offset 0` prevents inlining. */
const namedEach = (approvals: Prisma.Sql): Prisma.Sql => Prisma.sql`
  select i.*, coalesce(g.name, '') as graph_name from (
    select i.*, (select graph_id from run r where r.workspace_id = i.workspace_id and r.id = i.run_id) as graph_id from (${approvals}) i offset 0
  ) i ${GRAPH_NAME} i.graph_id where i.graph_id is not null`;

const ms = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;

/** Numbers decode much faster than dates. */
const SHOWN = Prisma.raw(
  columnsOf(itemRow, {
    openedAt: ms("opened_at"),
    expiresAt: ms("expires_at"),
    resolvedAt: ms("resolved_at"),
    escalatedAt: ms("escalated_at"),
    simulated: SIMULATED,
    notMine: NOT_MINE,
  }),
);

const LIMIT = Prisma.raw(`limit ${INBOX_PAGE + 1}`);

const firstOf = (question: InboxQuestion, cursor: string | null, among: Prisma.Sql): Prisma.Sql => {
  const { tab } = question.filter;

  return Prisma.sql`select * from (${among}) item where ${matching(question)} ${after(tab, cursor)} ${ORDERS[tab]} ${LIMIT}`;
};

/** One part is small, the other indexed. */
const firstOpen = (question: InboxQuestion, cursor: string | null): Prisma.Sql => {
  const waited = Prisma.sql`select * from (${items(question, waitedIn(question))}) item
    where ${matching(question)} ${after("open", cursor)} order by ${PLACE_OF_RISK}, expires_at, id ${LIMIT}`;
  const changed = firstOf(question, cursor, items(question, changedIn(question)));

  return Prisma.sql`select * from ((${waited}) union all (${changed})) either ${ORDERS.open} ${LIMIT}`;
};

/** Joins graph names for the page only, where possible. */
const pageSql = (question: InboxQuestion, cursor: string | null): Prisma.Sql => {
  const { graph, text, tab } = question.filter;
  const all = () => items(question, inTab(question));
  const shown =
    graph !== null || (question.graphs ?? null) !== null || text.trim() !== ""
      ? firstOf(question, cursor, named(all()))
      : namedEach(tab === "open" ? firstOpen(question, cursor) : firstOf(question, cursor, all()));

  return Prisma.sql`select ${SHOWN} from (${shown}) shown ${ORDERS[tab]}`;
};

const pageOf = (found: readonly unknown[], { tab }: InboxFilter) => {
  const rows = z.array(itemRow).parse(found.slice(0, INBOX_PAGE));
  const last = rows.at(-1);
  const sortMs = last && (tab === "open" ? last.expiresAt : -(last.resolvedAt ?? 0));

  return {
    rows,
    nextCursor: found.length > INBOX_PAGE && last ? `${last.newer ? 1 : 0}.${placeOfRisk(last.risk)}.${sortMs}.${last.id}` : null,
  };
};

const countRow = z.object({
  risk: riskSchema.nullable(),
  graphId: z.string(),
  graphName: z.string(),
  standing: z.number(),
  mine: z.number(),
  assigned: z.number(),
  expiring: z.number(),
  aside: z.number(),
  matching: z.number(),
  newer: z.number(),
  gone: z.number(),
});

const sumOf = (rows: readonly number[]): number => rows.reduce((sum, one) => sum + one, 0);

const countsSql = (question: InboxQuestion): Prisma.Sql => {
  const isOpen = question.filter.tab === "open";
  const all = items(question, inTab(question));
  const soon = question.nowMs + EXPIRING_MS;
  const standing = isOpen ? Prisma.sql`stands and not aside` : Prisma.sql`stands`;

  return Prisma.sql`
    with item as (select *, (status = 'open') = ${isOpen}::boolean as stands from (${isOpen ? namedEach(all) : named(all)}) as every)
    select risk, graph_id as "graphId", graph_name as "graphName",
      count(*) filter (where ${standing})::int as standing,
      count(*) filter (where ${standing} and mine)::int as mine,
      count(*) filter (where ${standing} and mine and named)::int as assigned,
      count(*) filter (where ${standing} and expires_at <= ${at(soon)})::int as expiring,
      count(*) filter (where stands and aside)::int as aside,
      count(*) filter (where stands and ${matching(question)})::int as matching,
      count(*) filter (where stands and newer and ${matching(question)})::int as newer,
      count(*) filter (where not stands and ${matching(question)})::int as gone
    from item group by risk, graph_id, graph_name`;
};

const countsOf = (rows: readonly z.infer<typeof countRow>[]) => {
  const standingOf = (risk: Risk) => sumOf(rows.filter((row) => row.risk === risk).map(({ standing }) => standing));
  const byGraph = new Map<string, { readonly id: string; readonly name: string; readonly count: number }>();
  for (const { graphId: id, graphName: name, standing } of rows) {
    byGraph.set(id, { id, name, count: (byGraph.get(id)?.count ?? 0) + standing });
  }

  return {
    all: sumOf(rows.map(({ standing }) => standing)),
    matching: sumOf(rows.map((row) => row.matching)),
    mine: sumOf(rows.map((row) => row.mine)),
    assigned: sumOf(rows.map((row) => row.assigned)),
    expiring: sumOf(rows.map((row) => row.expiring)),
    aside: sumOf(rows.map((row) => row.aside)),
    risk: { low: standingOf("low"), medium: standingOf("medium"), high: standingOf("high") },
    graphs: [...byGraph.values()].filter(({ count }) => count > 0).toSorted((a, b) => a.name.localeCompare(b.name)),
    newer: sumOf(rows.map((row) => row.newer)),
    gone: sumOf(rows.map((row) => row.gone)),
  };
};

/** Returns a page; the first has counts. `nowMs`: pass as `sinceMs` to reorder. */
export const listInboxPage = (question: InboxQuestion, cursor: string | null) =>
  runRead(
    question.workspaceId,
    async (client) => {
      const found = await sendQuery(client, prepareQuery(pageSql(question, cursor)));
      // Runs while the page is decoded.
      const counting = cursor === null ? queryRows(client, countRow, prepareQuery(countsSql(question))) : null;
      counting?.catch(() => undefined);
      const page = pageOf(found, question.filter);

      return { ...page, counts: counting && countsOf(await counting), nowMs: question.nowMs };
    },
    "generic",
  );
