import { z } from "zod";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { listRuns, runCursorSchema } from "@/server/store/runs/list";
import { createProcedure } from "@/server/trpc/init";

const input = runFilterSchema.extend({
  cursor: runCursorSchema.nullish(),
  /** Sent by the client with each page. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

export const runsList = createProcedure("run.read")
  .input(input)
  .query(({ ctx, input: { cursor, direction: _only, limit, ...filter } }) =>
    listRuns({ workspaceId: ctx.workspaceId, userId: ctx.user.id }, filter, { cursor: cursor ?? null, limit }),
  );
