import { z } from "zod";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { listRuns, runCursorSchema } from "@/server/store/runs/list";
import { createProcedure } from "@/server/trpc/init";

const input = runFilterSchema.extend({
  cursor: runCursorSchema.nullish(),
  /** Sent with each page by the client; there is one direction. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

/** A page of runs, newest first. */
export const runsList = createProcedure("run.read")
  .input(input)
  .query(({ ctx, input: { cursor, direction: _only, limit, ...filter } }) =>
    listRuns({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, filter, { cursor: cursor ?? null, limit }),
  );
