import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { modelIdSchema, getProvider } from "@/lib/model-provider";
import type { ModelTest } from "@/lib/model-test";
import { systemClock } from "@/server/clock";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { createProcedure } from "@/server/trpc/init";
import { submitModelChange } from "./submit";

const POLL_MS = 200;
/** The call itself has 30 seconds. */
const WAIT_MS = 40_000;

/** The answer is discarded, the cost kept. */
export const modelsTest = createProcedure("model.manage", { fresh: true })
  .input(z.strictObject({ model: modelIdSchema }))
  .mutation(async ({ ctx, input: { model } }): Promise<ModelTest> => {
    const { record } = await submitModelChange(ctx.workspaceId, ctx.author, { type: "test", model });
    const until = systemClock.now() + WAIT_MS;
    while (systemClock.now() < until) {
      await delay(POLL_MS);
      const test = (await getModelSettings(ctx.workspaceId)).tests.get(getProvider(model));
      if (test?.record === record) return test;
    }
    throw new AppError("runner_silent");
  });
