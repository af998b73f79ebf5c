import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";
import { listRuns, runCursorSchema } from "@/server/store/runs";
import { procedure } from "@/server/trpc/init";

const input = z.strictObject({
  status: runStatusSchema.nullable().default(null),
  graph_id: z.uuid().nullable().default(null),
  cursor: runCursorSchema.nullish(),
  /** Sent along by the client with each page; there is one direction. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

/** A page of runs, newest first. */
export const runsList = procedure("run.read")
  .input(input)
  .query(({ ctx, input: { status, graph_id: graphId, cursor, limit } }) =>
    listRuns(ctx.workspaceId, { status, graphId, cursor: cursor ?? null, limit }),
  );
