import { filterOfQuery } from "@/lib/engine/labels/trust-filter";
import { listSavedViews } from "@/server/store/saved-views";
import { createProcedure } from "@/server/trpc/init";

export const trustQueries = createProcedure("trust.read").query(async ({ ctx: { workspaceId, user } }) => {
  const views = await listSavedViews({ workspaceId, userId: user.id, page: "trust" });

  return views.flatMap(({ id, name, query }) => {
    const filter = filterOfQuery(new URLSearchParams(query));

    return filter === null ? [] : [{ id, name, filter }];
  });
});
