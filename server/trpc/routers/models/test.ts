import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { modelIdSchema, providerOf } from "@/lib/model-provider";
import type { ModelTest } from "@/lib/model-test";
import { systemClock } from "@/server/clock";
import { modelSettings } from "@/server/store/workspaces/model-settings";
import { procedure } from "@/server/trpc/init";
import { submitModelChange } from "./submit";

const POLL_MS = 200;
/** The call itself has 30 seconds. */
const WAIT_MS = 40_000;

/** Test-calls a workspace provider's model. The answer is discarded, the cost kept. */
export const modelsTest = procedure("model.manage", { fresh: true })
  .input(z.strictObject({ model: modelIdSchema }))
  .mutation(async ({ ctx, input: { model } }): Promise<ModelTest> => {
    const { record } = await submitModelChange(ctx.workspaceId, ctx.author, { type: "test", model });
    const until = systemClock.now() + WAIT_MS;
    while (systemClock.now() < until) {
      await delay(POLL_MS);
      const test = (await modelSettings(ctx.workspaceId)).tests.get(providerOf(model));
      if (test?.record === record) return test;
    }
    throw new AppError("runner_silent");
  });
