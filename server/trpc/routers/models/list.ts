import type { ChoosableModel } from "@/lib/model-info";
import { systemClock } from "@/server/clock";
import { listedModels } from "@/server/models/listing";
import { listModels } from "@/server/store/health";
import { modelSettings } from "@/server/store/workspaces/model-settings";
import { procedure } from "@/server/trpc/init";

/** Models for runs: live runners' and admins', as allowed. */
export const modelList = procedure("model.read").query(async ({ ctx }): Promise<readonly ChoosableModel[]> => {
  const [installation, { settings }] = await Promise.all([listModels(), modelSettings(ctx.workspaceId)]);
  // Without a runner no model can be called.
  if (installation.length === 0) return [];

  return listedModels(installation, settings, systemClock.now()).flatMap(({ allowed, own: _own, ...model }) => (allowed ? [model] : []));
});
