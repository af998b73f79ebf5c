import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { toCanonicalJson } from "@/lib/json";
import { takesEffort } from "@/lib/model-effort";
import { CAPABILITIES } from "@/server/models/capabilities";
import type { CallModel, ProviderDescription } from "@/server/models/contract";
import { PERSONAS } from "@/server/models/scripted/personas";
import { ScriptedModel } from "@/server/models/scripted/model";
import { createEgress, type Egress } from "@/server/security/egress";
import type { Resolve } from "@/server/security/egress-connect";
import { askModel, type ServerMemory } from "./call";
import { boundFetch } from "./fetch";

const MAX_ANSWER_BYTES = 16_777_216;
/** Models may think long before the first byte; each call has its own limit. */
const HEAD_TIMEOUT_MS = 900_000;
const MOST_KEPT = 200;

type Http = Extract<ProviderDescription, { type: "http" }>;

type Built = { readonly model: (modelId: string) => LanguageModelV4; readonly close: () => Promise<void> };
type Kept = Built & {
  /** By model; null: takes everything. */
  readonly servers: Map<string, ServerMemory> | null;
};

// undici's and the DOM's fetch types are not assignable; the SDK uses what both have.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const fetchOf = (egress: Egress): typeof fetch => egress.fetch as unknown as typeof fetch;

/** Passes every setting, because the SDK falls back to the environment. */
const modelsOver = ({ kind, name, baseUrl, key }: Http, fetch: typeof globalThis.fetch): ((modelId: string) => LanguageModelV4) => {
  const baseURL = baseUrl === null ? {} : { baseURL: baseUrl };
  if (kind === "openai-compatible") {
    const provider = createOpenAICompatible({
      name,
      baseURL: baseUrl ?? "",
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...(key === null ? {} : { apiKey: key }),
    });

    return (modelId) => provider.chatModel(modelId);
  }
  const apiKey = key ?? "";
  if (kind === "anthropic") return createAnthropic({ apiKey, fetch, ...baseURL });
  const provider = createOpenAI({ apiKey, fetch, ...baseURL });

  // Chat completions, because threads replayed from our records have no stored response ids.
  return (modelId) => provider.chat(modelId);
};

type CallerOptions = { readonly resolve?: Resolve | undefined; readonly idleMs?: number | undefined };

const build = (description: ProviderDescription, { resolve, idleMs }: CallerOptions): Built => {
  if (description.type === "scripted") {
    const { persona } = description;

    return { model: () => new ScriptedModel(persona, PERSONAS[persona]), close: () => Promise.resolve() };
  }
  const { guard } = description;
  if (guard === null) return { model: modelsOver(description, boundFetch(fetch, idleMs)), close: () => Promise.resolve() };
  const egress = createEgress({
    policy: guard,
    headTimeoutMs: HEAD_TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    ...(resolve ? { resolve } : {}),
  });

  return { model: modelsOver(description, boundFetch(fetchOf(egress), idleMs)), close: egress.close };
};

export type ModelCaller = { readonly call: CallModel; readonly close: () => Promise<void> };

export const createModelCaller = (options: CallerOptions = {}): ModelCaller => {
  const kept = new Map<string, Kept>();

  /** Evicted providers finish their calls; their connections close when idle. */
  const providerOf = (description: ProviderDescription): Kept => {
    // JSON drops undefined members of a description.
    const text = toCanonicalJson(JSON.parse(JSON.stringify(description)));
    const provider = kept.get(text) ?? {
      ...build(description, options),
      servers: description.type === "http" && CAPABILITIES[description.kind].extras === "try" ? new Map<string, ServerMemory>() : null,
    };
    kept.delete(text);
    kept.set(text, provider);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);

    return provider;
  };

  return {
    call: ({ provider, modelId, request }, signal, note) => {
      const { model, servers } = providerOf(provider);
      const memory = servers?.get(modelId) ?? { takesEffort: true, takesSchema: true, streams: true };
      servers?.set(modelId, memory);
      const effort = provider.type === "http" && takesEffort(provider.kind, modelId) ? request.effort : undefined;

      return askModel(model(modelId), { ...request, effort }, signal, { memory: servers && memory, note });
    },
    close: async () => {
      await Promise.all([...kept.values()].map(({ close }) => close()));
      kept.clear();
    },
  };
};
