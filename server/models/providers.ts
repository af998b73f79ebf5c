import { findProvider } from "@pydantic/genai-prices";
import type { ModelInfo } from "@/lib/model-info";
import type { ModelPrice } from "@/lib/model-price";
import type { ProviderKind } from "@/lib/model-provider";
import type { ProviderDescription } from "./contract";
import { hasPrice, type Tariff } from "./price";
import { PERSONA_NAMES, SCRIPTED_FAMILIES } from "@/lib/scripted-personas";

export type ModelKeys = {
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly ANTHROPIC_BASE_URL?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  /** Ollama, vLLM or a gateway, possibly without a key. */
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly OPENAI_MODEL?: string | undefined;
  /** By `<provider>:<model id>`; these prices come first. */
  readonly COUNTERSIGN_MODEL_PRICES?: Readonly<Record<string, ModelPrice>> | undefined;
};

export type Entry = {
  readonly info: Omit<ModelInfo, "rates">;
  readonly modelId: string;
  readonly provider: ProviderDescription;
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
      provider: { type: "scripted", persona },
      tariff: { free: "scripted" },
    })),
  );

/** @param id the provider, before the colon of its models */
export const createEntry = (id: string, name: string, modelId: string, provider: ProviderDescription, tariff: Tariff): Entry => ({
  info: { id: `${id}:${modelId}`, label: `${name}: ${modelId}`, provider: id, scripted: false },
  modelId,
  provider,
  tariff,
});

/** Unguarded: the operator chose its address. */
const installed = (kind: ProviderKind, baseUrl: string | undefined, key: string | undefined): ProviderDescription => ({
  type: "http",
  kind,
  name: kind,
  baseUrl: baseUrl ?? null,
  key: key ?? null,
  guard: null,
});

const anthropic = (keys: ModelKeys): Entry[] => {
  if (keys.ANTHROPIC_API_KEY === undefined) return [];
  const provider = installed("anthropic", keys.ANTHROPIC_BASE_URL, keys.ANTHROPIC_API_KEY);

  return ANTHROPIC_MODELS.map((id) => createEntry("anthropic", "Anthropic", id, provider, { provider: "anthropic" }));
};

const openai = (keys: ModelKeys): Entry[] => {
  if (keys.OPENAI_API_KEY === undefined || keys.OPENAI_BASE_URL !== undefined) return [];
  const provider = installed("openai", undefined, keys.OPENAI_API_KEY);
  const ids = [...new Set([...(keys.OPENAI_MODEL === undefined ? [] : [keys.OPENAI_MODEL]), ...OPENAI_MODELS])];

  return ids.map((id) => createEntry("openai", "OpenAI", id, provider, { provider: "openai" }));
};

/** Base URLs in the price list are paid services; others are the operator's own servers and free. */
const tariffOf = (baseUrl: string): Tariff => {
  const known = findProvider({ providerApiUrl: baseUrl });

  return known ? { provider: known.id } : { free: "self-hosted" };
};

const compatible = (keys: ModelKeys): Entry[] => {
  if (keys.OPENAI_BASE_URL === undefined || keys.OPENAI_MODEL === undefined) return [];
  const provider = installed("openai-compatible", keys.OPENAI_BASE_URL, keys.OPENAI_API_KEY);

  return [createEntry("openai-compatible", "OpenAI-compatible", keys.OPENAI_MODEL, provider, tariffOf(keys.OPENAI_BASE_URL))];
};

const priced = (one: Entry, keys: ModelKeys): Entry => {
  const prices = keys.COUNTERSIGN_MODEL_PRICES ?? {};
  const override = Object.hasOwn(prices, one.info.id) ? prices[one.info.id] : undefined;

  return override === undefined ? one : { ...one, tariff: { override } };
};

/** Lists priced models, plus the operator's named one, whose call explains itself. */
export const listConfiguredModels = (keys: ModelKeys): ReadonlyMap<string, Entry> =>
  new Map(
    [...scripted(), ...[...anthropic(keys), ...openai(keys), ...compatible(keys)].map((one) => priced(one, keys))]
      .filter((one) => one.modelId === keys.OPENAI_MODEL || hasPrice(one.modelId, one.tariff))
      .map((one) => [one.info.id, one]),
  );
