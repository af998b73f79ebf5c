import { changeModels, type ChangeFault, type Changed, type ModelChange } from "@/lib/model-change";
import type { Provider } from "@/lib/model-provider";
import type { ModelSettings } from "@/lib/model-settings";
import { checkProviderUrl, type ProviderUrlFault } from "./own-policy";

export type StepFault = ChangeFault | ProviderUrlFault;
type Decided = ({ readonly ok: true } & Changed) | { readonly ok: false; readonly fault: StepFault };

export const applyProviderChange = (settings: ModelSettings, change: ModelChange): Provider | null => {
  if (change.type !== "add_provider" && change.type !== "edit_provider") return null;
  const id = change.type === "add_provider" ? change.provider.id : change.id;

  return settings.providers.find((provider) => provider.id === id) ?? null;
};

/** Decides a change. @param installation its models */
export const decideModelChange = (settings: ModelSettings, change: ModelChange, installation: ReadonlySet<string>): Decided => {
  const changed = changeModels(settings, change, installation);
  const provider = changed.ok ? applyProviderChange(changed.settings, change) : null;
  const url = provider && checkProviderUrl(provider);

  return url && !url.ok ? { ok: false, fault: url.error } : changed;
};
