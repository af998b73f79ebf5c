import { z } from "zod";
import { eventCursorSchema, listEventsOf } from "@/server/store/triggers/events";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  graphId: z.uuid(),
  cursor: eventCursorSchema.nullish(),
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(50),
});

/** Newest first, without payloads: those are cells of their runs. */
export const triggersEvents = createProcedure("run.read")
  .input(input)
  .query(({ ctx, input: { graphId, cursor, limit } }) => listEventsOf(ctx.workspaceId, graphId, { cursor: cursor ?? null, limit }));
