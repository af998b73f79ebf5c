import { listDemoRunIds } from "@/server/seed/demo-runs";
import { DEMO_GRAPHS } from "@/server/seed/workflows";
import { systemClock } from "@/server/clock";
import { listOfferedModels } from "@/server/models/listing";
import { listModels } from "@/server/store/health";
import { readFirstDay } from "@/server/store/workspaces/first-day";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { createProcedure } from "@/server/trpc/init";

/** Facts that tick the first steps, without the demo's runs and graphs. */
export const homeFirstDay = createProcedure("run.read").query(async ({ ctx }) => {
  const given = { runs: listDemoRunIds(ctx.workspaceId), graphs: DEMO_GRAPHS.map(({ id }) => id) };
  const [facts, installation, { settings }] = await Promise.all([
    readFirstDay(ctx.workspaceId, given),
    listModels(),
    getModelSettings(ctx.workspaceId),
  ]);
  const callable = listOfferedModels(installation, settings, systemClock.now()).some(
    ({ scripted, allowed, rates }) => !scripted && allowed && rates !== null,
  );

  return { ...facts, hasModel: callable };
});
