import type { ChoosableModel } from "@/lib/model-info";
import { systemClock } from "@/server/clock";
import { listedModels } from "@/server/models/listing";
import { listModels } from "@/server/store/health";
import { modelSettings } from "@/server/store/workspaces/model-settings";
import { procedure } from "@/server/trpc/init";

/** What runs can be started with: what the runners that are alive say, and what admins have set up and allowed. */
export const modelList = procedure("model.read").query(async ({ ctx }): Promise<readonly ChoosableModel[]> => {
  const [installation, { settings }] = await Promise.all([listModels(), modelSettings(ctx.workspaceId)]);
  // Without a runner nobody can be asked, whatever is set up.
  if (installation.length === 0) return [];

  return listedModels(installation, settings, systemClock.now()).flatMap(({ allowed, own: _own, ...model }) => (allowed ? [model] : []));
});
