/** Models that people may choose: shown when choosing, enforced by the runner at every call. */
import { AppError } from "@/lib/errors";
import { isAllowed } from "@/lib/model-settings";
import { getModelSettings } from "@/server/store/workspaces/model-settings";

/** @throws AppError when an admin has not allowed the model. `default` is the run's own. */
export const demandAllowed = async (workspaceId: string, model: string): Promise<void> => {
  if (model === "default") return;
  const { settings } = await getModelSettings(workspaceId);
  if (!isAllowed(settings, model)) {
    throw new AppError("bad_request", { message: `An admin has not allowed the model ${model.toWellFormed().slice(0, 120)}.` });
  }
};

/** Like `demandAllowed`, for the agents of a version. */
export const demandAllowedAgents = async (workspaceId: string, agents: readonly { readonly model: string }[]): Promise<void> => {
  for (const model of new Set(agents.map((agent) => agent.model))) await demandAllowed(workspaceId, model);
};
