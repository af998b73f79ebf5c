import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { cancelRun } from "@/server/trpc/run-commands";

const input = z.strictObject({ runId: z.uuid(), reason: z.string().trim().min(1).max(2_000).optional() });

export const runsCancel = createProcedure("run.cancel")
  .input(input)
  .mutation(({ ctx, input: { runId, reason } }) => cancelRun(ctx, runId, reason === undefined ? {} : { reason }));
