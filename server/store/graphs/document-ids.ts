import { runInWorkspace } from "@/server/db/client";

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
