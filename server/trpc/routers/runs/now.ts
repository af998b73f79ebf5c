import { z } from "zod";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { runCursorSchema, listRunsNow } from "@/server/store/runs/list";
import { createProcedure } from "@/server/trpc/init";

const input = runFilterSchema.extend({
  /** Displayed runs that can still change. */
  ids: z.array(z.uuid()).max(500),
  /** The newest displayed run. */
  since: runCursorSchema.nullable(),
});

/** Counts newer matches too. */
export const runsNowProcedure = createProcedure("run.read")
  .input(input)
  .query(({ ctx, input: { ids, since, ...filter } }) =>
    listRunsNow({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, filter, { ids, since }),
  );
