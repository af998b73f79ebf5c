/** Lists of runs: filtered and paged by the database. */
import { z } from "zod";
import type { RunFilter } from "@/lib/engine/run-filter";
import { inWorkspace, type Transaction } from "@/server/db/client";
import { withNames, type RunRow } from "@/server/store/runs";

/** `<created at in ms>.<id>` of the last row of a page. */
export const runCursorSchema = z.string().regex(/^\d{1,15}\.[0-9a-f-]{36}$/);

export type RunPage = { readonly cursor: string | null; readonly limit: number };
export type RunReader = { readonly workspaceId: string; readonly userId: string };

type Where = NonNullable<NonNullable<Parameters<Transaction["run"]["findMany"]>[0]>["where"]>;

/** More graphs or people than that share no name that says anything. */
const MOST_NAMED = 200;

const LEAST = "00000000-0000-0000-0000-000000000000";

/** The ids that begin like this; null: no id does. */
const idsFrom = (text: string): { readonly gte: string; readonly lte: string } | null => {
  const typed = text.toLowerCase();
  if (typed.length < 2 || typed.length > LEAST.length || !/^[0-9a-f-]+$/u.test(typed)) return null;
  const filled = (end: "0" | "f") => typed + LEAST.slice(typed.length).replaceAll("0", end);
  const isId = (id: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

  return isId(filled("0")) ? { gte: filled("0"), lte: filled("f") } : null;
};

const textWhere = async (tx: Transaction, workspaceId: string, text: string): Promise<Where> => {
  const contains = { contains: text.replaceAll(/[\\%_]/gu, "\\$&"), mode: "insensitive" as const };
  const [graphs, people] = [
    await tx.graph.findMany({ where: { workspaceId, name: contains }, select: { id: true }, take: MOST_NAMED }),
    await tx.membership.findMany({ where: { workspaceId, user: { name: contains } }, select: { userId: true }, take: MOST_NAMED }),
  ];
  const id = idsFrom(text);

  return {
    OR: [
      ...(id ? [{ id }] : []),
      { graphId: { in: graphs.map((graph) => graph.id) } },
      { initiatorId: { in: people.map(({ userId }) => userId) } },
      { currentNode: contains },
    ],
  };
};

const waitingWhere = async (tx: Transaction, workspaceId: string): Promise<Where> => {
  const open = await tx.approval.findMany({ where: { workspaceId, status: "open" }, distinct: ["runId"], select: { runId: true } });

  return { id: { in: open.map(({ runId }) => runId) } };
};

const whereOf = async (tx: Transaction, { workspaceId, userId }: RunReader, filter: RunFilter): Promise<Where> => ({
  workspaceId,
  AND: [
    ...(filter.status === null ? [] : [{ status: filter.status }]),
    ...(filter.graph_id === null ? [] : [{ graphId: filter.graph_id }]),
    ...(filter.refused ? [{ refusals: { gt: 0 } }] : []),
    ...(filter.simulated === null ? [] : [{ simulated: filter.simulated }]),
    ...(filter.mine ? [{ initiatorId: userId }] : []),
    ...(filter.waiting ? [await waitingWhere(tx, workspaceId)] : []),
    ...(filter.text === "" ? [] : [await textWhere(tx, workspaceId, filter.text)]),
  ],
});

const placeOf = (cursor: string): { readonly at: Date; readonly id: string } => {
  const [at = "", id = ""] = cursor.split(".");

  return { at: new Date(Number(at)), id };
};

const olderThan = (cursor: string | null): Where => {
  if (cursor === null) return {};
  const { at, id } = placeOf(cursor);

  return { OR: [{ createdAt: { lt: at } }, { createdAt: at, id: { lt: id } }] };
};

const newerThan = (cursor: string | null): Where => {
  if (cursor === null) return {};
  const { at, id } = placeOf(cursor);

  return { OR: [{ createdAt: { gt: at } }, { createdAt: at, id: { gt: id } }] };
};

/** Newest first. */
export const listRuns = (
  reader: RunReader,
  filter: RunFilter,
  { cursor, limit }: RunPage,
): Promise<{ runs: RunRow[]; nextCursor: string | null }> =>
  inWorkspace(reader.workspaceId, async (tx) => {
    const rows = await tx.run.findMany({
      where: { AND: [await whereOf(tx, reader, filter), olderThan(cursor)] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);

    return {
      runs: await withNames(tx, reader.workspaceId, page),
      nextCursor: rows.length > limit && last ? `${last.createdAt.getTime()}.${last.id}` : null,
    };
  });

/** Nobody reads a number beyond it. */
const MOST_NEWER = 100;

/**
 * How these runs stand now, and how many that match the filter came after one of them: what a list on a screen has to know
 * to stay true without its rows moving.
 * @param since of the newest row on the screen; null: there is none
 */
export const runsNow = (
  reader: RunReader,
  filter: RunFilter,
  { ids, since }: { readonly ids: readonly string[]; readonly since: string | null },
): Promise<{ runs: RunRow[]; newer: number }> =>
  inWorkspace(reader.workspaceId, async (tx) => {
    const { workspaceId } = reader;
    const rows = await tx.run.findMany({ where: { workspaceId, id: { in: [...ids] } } });
    const newer = await tx.run.findMany({
      where: { AND: [await whereOf(tx, reader, filter), newerThan(since)] },
      select: { id: true },
      take: MOST_NEWER,
    });

    return { runs: await withNames(tx, workspaceId, rows), newer: newer.length };
  });
