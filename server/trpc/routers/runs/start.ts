import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { createProcedure } from "@/server/trpc/init";
import { startRun } from "@/server/trpc/run-commands";

const input = z.strictObject({
  graphHash: hexDigestSchema,
  goal: z.string().trim().min(1).max(20_000),
  constraints: z.array(z.string().trim().min(1).max(2_000)).max(50).default([]),
  inputs: jsonSchema,
  model: z.string().min(1).max(200),
  limits: runLimitsSchema.optional(),
  /** Absent: the last one. */
  environment: idSchema.optional(),
});

/** Starts a run within the version's or narrower limits. */
export const runsStart = createProcedure("run.start")
  .input(input)
  .mutation(({ ctx, input: { graphHash, ...wanted } }) => startRun(ctx, { graph_hash: graphHash, ...wanted }));
