import { filterOfQuery, filterQuery, type NamedQuery } from "@/lib/engine/labels/trust-filter";
import { systemClock } from "@/server/clock";
import { runInWorkspace } from "@/server/db/client";

export const MOST_QUERIES = 50;

export type KeptQuery = NamedQuery & { readonly id: string };

/** By name. */
export const listKeptQueries = (workspaceId: string, userId: string): Promise<KeptQuery[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.trustQuery.findMany({ where: { workspaceId, userId }, orderBy: [{ name: "asc" }, { id: "asc" }] });

    return rows.flatMap(({ id, name, query }) => {
      const filter = filterOfQuery(new URLSearchParams(query));

      return filter === null ? [] : [{ id, name, filter }];
    });
  });

/** Stores or replaces a view. @returns false at the limit */
export const keepQuery = (workspaceId: string, userId: string, { name, filter }: NamedQuery): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.trustQuery.deleteMany({ where: { workspaceId, userId, name } });
    if ((await tx.trustQuery.count({ where: { workspaceId, userId } })) >= MOST_QUERIES) return false;
    await tx.trustQuery.create({ data: { workspaceId, userId, id: systemClock.id(), name, query: filterQuery(filter) } });

    return true;
  });

export const forgetQuery = (workspaceId: string, userId: string, id: string): Promise<void> =>
  runInWorkspace(workspaceId, async (tx) => {
    await tx.trustQuery.deleteMany({ where: { workspaceId, userId, id } });
  });
