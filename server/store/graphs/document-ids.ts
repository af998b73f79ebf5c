/** Ids that documents have inside: what subgraph nodes name a graph by, and a part of every version's name. */
import { inWorkspace } from "@/server/db/client";

const MAX_STEM = 56;

/**
 * An id that no draft of the workspace has or had, so that no two graphs can freeze one content or be meant by one name:
 * the one that is wished for, or the first of it with a number.
 */
export const freeDocumentId = (workspaceId: string, wished: string): Promise<string> =>
  inWorkspace(workspaceId, async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      select distinct document ->> 'id' as id from graph_revision where workspace_id = ${workspaceId}::uuid`;
    const taken = new Set(rows.map(({ id }) => id));
    let id = wished;
    for (let next = 2; taken.has(id); next += 1) id = `${wished.slice(0, MAX_STEM)}-${next}`;

    return id;
  });
