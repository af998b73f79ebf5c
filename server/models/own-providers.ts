/** Models of a workspace's own providers, as the SDK calls them: through the egress guard, with the sealed key and no other. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { baseUrlOf, ownNameOf, providerOf, type Provider } from "@/lib/model-provider";
import type { ModelSetting } from "@/lib/model-settings";
import { checkProviderUrl } from "./own-policy";
import { ownTariff } from "./own-tariff";
import { entry, type Entry } from "./providers";

type Access = { readonly key: string | null; readonly fetch: typeof fetch };

/** Every setting is given, because the SDK looks for the ones that are missing in the environment. */
const models = ({ id, kind }: Provider, baseURL: string, { key, fetch }: Access): ((name: string) => LanguageModelV4) | null => {
  if (kind === "openai-compatible") {
    const provider = createOpenAICompatible({ name: id, baseURL, fetch, includeUsage: true, ...(key === null ? {} : { apiKey: key }) });

    return (name) => provider.chatModel(name);
  }
  if (key === null) return null;
  if (kind === "anthropic") return createAnthropic({ apiKey: key, baseURL, fetch });
  const provider = createOpenAI({ apiKey: key, baseURL, fetch });

  return (name) => provider.chat(name);
};

/** @returns null when the provider cannot be used: no address that it may have, no key that is for it */
export const ownEntries = (provider: Provider, settings: readonly ModelSetting[], access: Access): readonly Entry[] | null => {
  const url = checkProviderUrl(provider);
  if (!url.ok || (provider.key_version > 0 && access.key === null)) return null;
  const model = models(provider, (baseUrlOf(provider) ?? "").replace(/\/+$/, ""), access);
  if (!model) return null;

  return settings
    .filter((setting) => providerOf(setting.model) === provider.id)
    .map((setting) => {
      const name = ownNameOf(setting.model);

      return entry(provider.id, provider.name, name, model(name), ownTariff(provider, setting.price));
    });
};
