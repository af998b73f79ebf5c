import type { ChoosableModel } from "@/lib/model-info";
import { systemClock } from "@/server/clock";
import { listOfferedModels } from "@/server/models/listing";
import { listModels } from "@/server/store/health";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { createProcedure } from "@/server/trpc/init";

export const modelList = createProcedure("model.read").query(async ({ ctx }): Promise<readonly ChoosableModel[]> => {
  const [installation, { settings }] = await Promise.all([listModels(), getModelSettings(ctx.workspaceId)]);
  // Without a runner no model can be called.
  if (installation.length === 0) return [];

  return listOfferedModels(installation, settings, systemClock.now()).flatMap(({ allowed, own: _own, ...model }) =>
    allowed ? [model] : [],
  );
});
