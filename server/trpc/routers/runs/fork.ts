import { z } from "zod";
import { forkChangeSchema, forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { createProcedure } from "@/server/trpc/init";
import { forkRun } from "@/server/trpc/run-commands";

const input = z.strictObject({
  runId: z.uuid(),
  /** The first record that is not shared. */
  seq: z.number().int().min(0),
  change: forkChangeSchema,
  effects: forkEffectsSchema.default("simulate"),
});

/** Refusals go to this run's ledger. */
export const runsFork = createProcedure("run.start")
  .input(input)
  .mutation(({ ctx, input: { runId: parent, ...wanted } }) => forkRun(ctx, { parent, ...wanted }));
