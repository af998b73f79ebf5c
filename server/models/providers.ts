/** Which models exist here: the scripted ones always, a provider's when it is configured. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { findProvider } from "@pydantic/genai-prices";
import type { ModelInfo } from "@/lib/model-info";
import type { ModelPrice } from "@/lib/model-price";
import { boundedFetch } from "./fetch";
import { hasPrice, type Tariff } from "./price";
import { ScriptedModel } from "./scripted/model";
import { PERSONA_NAMES, PERSONAS, SCRIPTED_FAMILIES } from "./scripted/personas";

/** The runner's environment as far as models are concerned. */
export type ModelKeys = {
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly ANTHROPIC_BASE_URL?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  /** An OpenAI-compatible server: Ollama, vLLM, LM Studio, a gateway. It may need no key. */
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly OPENAI_MODEL?: string | undefined;
  /** An administrator's prices, by `<provider>:<model id>`: they go before every other. */
  readonly COUNTERSIGN_MODEL_PRICES?: Readonly<Record<string, ModelPrice>> | undefined;
};

export type Entry = {
  readonly info: Omit<ModelInfo, "rates">;
  readonly modelId: string;
  readonly model: LanguageModelV4;
  readonly tariff: Tariff;
};

const ANTHROPIC_MODELS = ["claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5"];
const OPENAI_MODELS = ["gpt-5.4", "gpt-5.4-mini", "gpt-5.2"];

const FAMILY_NAMES = {
  scripted: "Scripted",
  "scripted-b": "Scripted B",
  "scripted-c": "Scripted C",
} as const satisfies Record<(typeof SCRIPTED_FAMILIES)[number], string>;

const scripted = (): Entry[] =>
  SCRIPTED_FAMILIES.flatMap((provider) =>
    PERSONA_NAMES.map((persona) => ({
      info: {
        id: `${provider}:${persona}`,
        label: `${FAMILY_NAMES[provider]}: ${persona}`,
        provider,
        scripted: true,
      },
      modelId: persona,
      model: new ScriptedModel(persona, PERSONAS[persona]),
      tariff: { free: "scripted" },
    })),
  );

export const entry = (provider: string, name: string, modelId: string, model: LanguageModelV4, tariff: Tariff): Entry => ({
  info: { id: `${provider}:${modelId}`, label: `${name}: ${modelId}`, provider, scripted: false },
  modelId,
  model,
  tariff,
});

const anthropic = (keys: ModelKeys): Entry[] => {
  if (keys.ANTHROPIC_API_KEY === undefined) return [];
  const baseURL = keys.ANTHROPIC_BASE_URL === undefined ? {} : { baseURL: keys.ANTHROPIC_BASE_URL };
  const provider = createAnthropic({ apiKey: keys.ANTHROPIC_API_KEY, fetch: boundedFetch, ...baseURL });

  return ANTHROPIC_MODELS.map((id) => entry("anthropic", "Anthropic", id, provider(id), { provider: "anthropic" }));
};

const openai = (keys: ModelKeys): Entry[] => {
  if (keys.OPENAI_API_KEY === undefined || keys.OPENAI_BASE_URL !== undefined) return [];
  const provider = createOpenAI({ apiKey: keys.OPENAI_API_KEY, fetch: boundedFetch });
  const ids = [...new Set([...(keys.OPENAI_MODEL === undefined ? [] : [keys.OPENAI_MODEL]), ...OPENAI_MODELS])];

  // Chat completions, because a thread that is replayed from our own records has no ids of stored responses.
  return ids.map((id) => entry("openai", "OpenAI", id, provider.chat(id), { provider: "openai" }));
};

/** A base URL that the price list knows is a paid service; any other is the operator's own server, which costs nothing here. */
const tariffOf = (baseUrl: string): Tariff => {
  const known = findProvider({ providerApiUrl: baseUrl });

  return known ? { provider: known.id } : { free: "self-hosted" };
};

const compatible = (keys: ModelKeys): Entry[] => {
  if (keys.OPENAI_BASE_URL === undefined || keys.OPENAI_MODEL === undefined) return [];
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: keys.OPENAI_BASE_URL,
    fetch: boundedFetch,
    includeUsage: true,
    ...(keys.OPENAI_API_KEY === undefined ? {} : { apiKey: keys.OPENAI_API_KEY }),
  });
  const tariff = tariffOf(keys.OPENAI_BASE_URL);

  return [entry("openai-compatible", "OpenAI-compatible", keys.OPENAI_MODEL, provider.chatModel(keys.OPENAI_MODEL), tariff)];
};

const priced = (one: Entry, keys: ModelKeys): Entry => {
  const prices = keys.COUNTERSIGN_MODEL_PRICES ?? {};
  const override = Object.hasOwn(prices, one.info.id) ? prices[one.info.id] : undefined;

  return override === undefined ? one : { ...one, tariff: { override } };
};

/** A model without a known price is listed nowhere, except the one the operator named: asking for it explains itself. */
export const configuredModels = (keys: ModelKeys): ReadonlyMap<string, Entry> =>
  new Map(
    [...scripted(), ...[...anthropic(keys), ...openai(keys), ...compatible(keys)].map((one) => priced(one, keys))]
      .filter((one) => one.modelId === keys.OPENAI_MODEL || hasPrice(one.modelId, one.tariff))
      .map((one) => [one.info.id, one]),
  );
