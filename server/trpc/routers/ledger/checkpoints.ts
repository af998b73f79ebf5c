import { z } from "zod";
import { listCheckpointsBelow } from "@/server/store/workspaces/pages";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  /** Maximum count, exclusive. */
  cursor: z.number().int().min(0).nullish(),
  /** Sent by the client with each page. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(25),
});

export const ledgerCheckpoints = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx: { workspaceId }, input: { cursor, limit } }) => {
    const checkpoints = await listCheckpointsBelow(workspaceId, cursor ?? null, limit);

    return { checkpoints, nextCursor: checkpoints.length < limit ? null : (checkpoints.at(-1)?.checkpoint.count ?? null) };
  });
