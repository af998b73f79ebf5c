import { AppError } from "@/lib/errors";
import type { Agent, PublishedGraph } from "@/lib/graph/document";
import { listAgentModels } from "@/lib/graph/variables";
import { isAllowed } from "@/lib/model-settings";
import { getModelSettings } from "@/server/store/workspaces/model-settings";

/** Requires an allowed model; `default` is the run's own. @throws AppError */
export const demandAllowed = async (workspaceId: string, model: string): Promise<void> => {
  if (model === "default") return;
  const { settings } = await getModelSettings(workspaceId);
  if (!isAllowed(settings, model)) {
    throw new AppError("bad_request", { message: `An admin has not allowed the model ${model.toWellFormed().slice(0, 120)}.` });
  }
};

/** Requires allowed models of a version's agents. @throws AppError */
export const demandAllowedAgents = async (workspaceId: string, agents: readonly Pick<Agent, "model" | "fallback">[]): Promise<void> => {
  for (const model of listAgentModels(agents)) await demandAllowed(workspaceId, model);
};

export const demandAllowedModels = async (
  workspaceId: string,
  { graph, agents }: Pick<PublishedGraph, "graph" | "agents">,
): Promise<void> => {
  await demandAllowedAgents(workspaceId, agents);
  for (const { model } of graph.triggers ?? []) await demandAllowed(workspaceId, model);
};
