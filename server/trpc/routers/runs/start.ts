import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { jsonSchema } from "@/lib/json";
import { runLimitsSchema } from "@/lib/engine/run-limits";
import { systemClock } from "@/server/clock";
import { demandAllowed } from "@/server/models/choosable";
import { getVersion } from "@/server/store/graphs/versions";
import { demandKept } from "@/server/web/demand-kept";
import { createProcedure } from "@/server/trpc/init";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

const input = z.strictObject({
  graphHash: hexDigestSchema,
  goal: z.string().trim().min(1).max(20_000),
  constraints: z.array(z.string().trim().min(1).max(2_000)).max(50).default([]),
  inputs: jsonSchema,
  model: z.string().min(1).max(200),
  limits: runLimitsSchema.optional(),
});

/** Starts a run within the version's or narrower limits. */
export const runsStart = createProcedure("run.start")
  .input(input)
  .mutation(async ({ ctx, input: { graphHash, ...wanted } }) => {
    await demandAllowed(ctx.workspaceId, wanted.model);
    const runId = systemClock.id();
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId,
      body: { kind: "start", graph_hash: graphHash, ...wanted },
    };
    const version = await getVersion(ctx.workspaceId, graphHash);
    if (!version) return refuseAttempt(command);
    await demandKept(ctx.workspaceId, version.graphId);
    await submitCommand(command);

    return { runId };
  });
