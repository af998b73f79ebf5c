import { z } from "zod";
import { forkChangeSchema, forkEffectsSchema } from "@/lib/engine/forks/fork-change";
import { systemClock } from "@/server/clock";
import { demandAllowed } from "@/server/models/choosable";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { demandKept } from "@/server/web/demand-kept";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

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
  .mutation(async ({ ctx, input: { runId: parent, seq, change, effects } }) => {
    if (change.type === "model") await demandAllowed(ctx.workspaceId, change.model);
    const run = systemClock.id();
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId: parent,
      body: { kind: "fork", run, parent_run: parent, parent_seq: seq, change, effects },
    };
    const found = await getRun(ctx.workspaceId, parent);
    if (!found) return refuseAttempt(command);
    if (effects === "live") await demandKept(ctx.workspaceId, found.graphId);
    await submitCommand(command);

    return { runId: run };
  });
