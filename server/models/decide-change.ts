import { changeModels, type ChangeFault, type Changed, type KnownIds, getSubject, type ModelChange } from "@/lib/model-change";
import type { Provider } from "@/lib/model-provider";
import type { ModelSettings } from "@/lib/model-settings";
import { checkProviderUrl, type ProviderUrlFault } from "./own-policy";

export type StepFault = ChangeFault | ProviderUrlFault;
type Decided = ({ readonly ok: true } & Changed) | { readonly ok: false; readonly fault: StepFault };

export const applyProviderChange = (settings: ModelSettings, change: ModelChange): Provider | null => {
  if (change.type !== "add_provider" && change.type !== "edit_provider" && change.type !== "set_environment_key") return null;
  const id = getSubject(change);

  return settings.providers.find((provider) => provider.id === id) ?? null;
};

export const decideModelChange = (settings: ModelSettings, change: ModelChange, known: KnownIds): Decided => {
  const changed = changeModels(settings, change, known);
  const provider = changed.ok ? applyProviderChange(changed.settings, change) : null;
  const url = provider && checkProviderUrl(provider);

  return url && !url.ok ? { ok: false, fault: url.error } : changed;
};
