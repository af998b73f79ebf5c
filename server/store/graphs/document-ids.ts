import { runInWorkspace, type Transaction } from "@/server/db/client";

const MAX_STEM = 56;

/** Returns the wished or a numbered free id. Past drafts count: graphs never share versions. */
export const findFreeDocumentId = (workspaceId: string, wished: string): Promise<string> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select distinct document ->> 'id' as id from graph_revision where workspace_id = ${workspaceId}::uuid`;
    const taken = new Set(rows.map(({ id }) => id));
    let id = wished;
    for (let next = 2; taken.has(id); next += 1) id = `${wished.slice(0, MAX_STEM)}-${next}`;

    return id;
  });

export const findGraphOfDocument = async (tx: Transaction, workspaceId: string, documentId: string): Promise<string | null> => {
  const [found] = await tx.$queryRaw<{ graphId: string }[]>`
    select graph_id as "graphId" from graph_version
    where workspace_id = ${workspaceId}::uuid and document::jsonb #>> '{graph,id}' = ${documentId} limit 1`;

  return found?.graphId ?? null;
};

/** Deleted graphs do not count. */
export const listGraphsNamed = (workspaceId: string, documentId: string): Promise<readonly string[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select g.id from graph g
      join graph_revision r on r.workspace_id = g.workspace_id and r.graph_id = g.id and r.revision = g.revision
      where g.workspace_id = ${workspaceId}::uuid and g.deleted_at is null and r.document ->> 'id' = ${documentId}`;

    return rows.map(({ id }) => id);
  });
