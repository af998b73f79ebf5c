/** Ids inside documents, by which subgraph nodes name a graph; part of version names. */
import { runInWorkspace } from "@/server/db/client";

const MAX_STEM = 56;

/**
 * An id unused by any draft of the workspace, past ones included, so that graphs never share content or name: the wished one, or numbered.
 */
export const findFreeDocumentId = (workspaceId: string, wished: string): Promise<string> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select distinct document ->> 'id' as id from graph_revision where workspace_id = ${workspaceId}::uuid`;
    const taken = new Set(rows.map(({ id }) => id));
    let id = wished;
    for (let next = 2; taken.has(id); next += 1) id = `${wished.slice(0, MAX_STEM)}-${next}`;

    return id;
  });
