/** Models of a workspace's own providers, behind the egress guard with the sealed key. */
import { baseUrlOf, ownNameOf, providerOf, type Provider } from "@/lib/model-provider";
import type { ModelSetting } from "@/lib/model-settings";
import { checkProviderUrl, providerPolicy } from "./own-policy";
import { ownTariff } from "./own-tariff";
import { entry, type Entry } from "./providers";

/** @returns null when the provider is unusable: no allowed address or no matching key */
export const ownEntries = (provider: Provider, settings: readonly ModelSetting[], key: string | null): readonly Entry[] | null => {
  const { id, kind, name } = provider;
  const isKeyMissing = key === null && (provider.key_version > 0 || kind !== "openai-compatible");
  if (!checkProviderUrl(provider).ok || isKeyMissing) return null;
  const baseUrl = (baseUrlOf(provider) ?? "").replace(/\/+$/, "");
  const description = { type: "http", kind, name: id, baseUrl, key, guard: providerPolicy(provider) } as const;

  return settings
    .filter((setting) => providerOf(setting.model) === id)
    .map((setting) => entry(id, name, ownNameOf(setting.model), description, ownTariff(provider, setting.price)));
};
