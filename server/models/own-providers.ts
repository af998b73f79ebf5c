import { getBaseUrl, needsKey, ownNameOf, getProvider, type Provider } from "@/lib/model-provider";
import type { ModelSetting } from "@/lib/model-settings";
import { checkProviderUrl, getProviderPolicy } from "./own-policy";
import { ownTariff } from "./own-tariff";
import { createEntry, type Entry } from "./providers";

export const ownEntries = (provider: Provider, settings: readonly ModelSetting[], key: string | null): readonly Entry[] | null => {
  const { id, kind, name } = provider;
  if (!checkProviderUrl(provider).ok || (key === null && needsKey(provider))) return null;
  const baseUrl = (getBaseUrl(provider) ?? "").replace(/\/+$/, "");
  const description = { type: "http", kind, name: id, baseUrl, key, guard: getProviderPolicy(provider) } as const;

  return settings
    .filter((setting) => getProvider(setting.model) === id)
    .map((setting) => createEntry(id, name, ownNameOf(setting.model), description, ownTariff(provider, setting.price)));
};
