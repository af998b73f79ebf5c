/** What people may choose: said where they choose, and held to by the runner at every call. */
import { AppError } from "@/lib/errors";
import { isAllowed } from "@/lib/model-settings";
import { modelSettings } from "@/server/store/workspaces/model-settings";

/** @throws AppError when an admin has not allowed the model. `default` stands for whatever a run is started with. */
export const demandAllowed = async (workspaceId: string, model: string): Promise<void> => {
  if (model === "default") return;
  const { settings } = await modelSettings(workspaceId);
  if (!isAllowed(settings, model)) {
    throw new AppError("bad_request", { message: `An admin has not allowed the model ${model.toWellFormed().slice(0, 120)}.` });
  }
};

/** As `demandAllowed`, for the agents of what is to be published. */
export const demandAllowedAgents = async (workspaceId: string, agents: readonly { readonly model: string }[]): Promise<void> => {
  for (const model of new Set(agents.map((agent) => agent.model))) await demandAllowed(workspaceId, model);
};
