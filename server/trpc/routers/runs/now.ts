import { z } from "zod";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { runCursorSchema, runsNow } from "@/server/store/runs/list";
import { procedure } from "@/server/trpc/init";

const input = runFilterSchema.extend({
  /** The runs on the screen that can still change. */
  ids: z.array(z.uuid()).max(500),
  /** The newest run on the screen, as a cursor. */
  since: runCursorSchema.nullable(),
});

/** How the runs of a list stand now, and how many newer ones match its filter. */
export const runsNowProcedure = procedure("run.read")
  .input(input)
  .query(({ ctx, input: { ids, since, ...filter } }) =>
    runsNow({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, filter, { ids, since }),
  );
