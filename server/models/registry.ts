/** Models by id, never by a bare name that would go to a gateway. */
import type { ModelInfo } from "@/lib/model-info";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import { ModelError, type CallModel, type GenerateRequest, type ModelCall, type GenerateResult, type Models } from "./contract";
import { measureCall } from "./measured";
import { getContextTokens, priceOf, getRates } from "./price";
import { listConfiguredModels, type Entry, type ModelKeys } from "./providers";
import { estimateWorstCaseTokens } from "./usage";

const REASONS = {
  model_not_allowed: "An admin has not allowed this model.",
  model_unusable: "This model's provider cannot be used: its address or its key is not what an admin set.",
} as const;

export const listEntries = (entries: ReadonlyMap<string, Entry>, clock: Clock): readonly ModelInfo[] => {
  const readAt = clock.now();

  return [...entries.values()].map(({ info, modelId, tariff }): ModelInfo => {
    const rates = getRates(modelId, tariff);

    return { ...info, rates: rates && { ...rates, read_at: readAt } };
  });
};

type ModelsOptions = {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly refused: (id: string) => "model_not_allowed" | "model_unusable" | null;
  readonly clock: Clock;
  readonly call: CallModel;
};

const generateOnce = (entry: Entry, request: GenerateRequest, call: (asked: ModelCall) => ReturnType<CallModel>): Promise<GenerateResult> =>
  measureCall(entry, request, async (noteResponse) => {
    const { tokens, answeredBy, finish, ...said } = await call({ provider: entry.provider, modelId: entry.modelId, request });
    noteResponse(answeredBy, finish);
    const cached = tokens.cacheRead > 0 ? { cached_input_tokens: tokens.cacheRead } : {};
    const reasoned = tokens.reasoning > 0 ? { reasoning_tokens: tokens.reasoning } : {};
    const usage = { model: entry.info.id, input_tokens: tokens.input, ...cached, output_tokens: tokens.output, ...reasoned };

    return { ...said, usage: { ...usage, ...priceOf(entry.modelId, tokens, entry.tariff) } };
  });

export const toModels = ({ entries, refused, clock, call }: ModelsOptions): Models => {
  const listed = listEntries(entries, clock);

  const entryOf = (id: string): Entry => {
    const no = refused(id);
    if (no) throw new ModelError(no, false, REASONS[no], { billed: "no" });
    const entry = entries.get(id);
    if (!entry) throw new ModelError("model_unknown", false, "This model is not configured here.", { billed: "no" });

    return entry;
  };

  return {
    list: () => listed,
    estimate: (request) => {
      const entry = entryOf(request.model);
      const { input, output } = estimateWorstCaseTokens(request);
      const shares = [
        { cacheRead: 0, cacheWrite: input },
        { cacheRead: input, cacheWrite: 0 },
        { cacheRead: 0, cacheWrite: 0 },
      ];
      const costs = shares.map((share) => priceOf(entry.modelId, { input, ...share, output }, entry.tariff).cost_micro_usd);

      return { tokens: input + output, cost_micro_usd: Math.max(...costs) };
    },
    contextTokens: (model) => {
      const { modelId, tariff, provider } = entryOf(model);
      const kind = provider.type === "http" && provider.kind !== "openai-compatible" ? provider.kind : null;
      const priced = "provider" in tariff ? tariff.provider : kind;

      return priced === null ? null : getContextTokens(modelId, priced);
    },
    generate: async (request, signal, note) => {
      const entry = entryOf(request.model);
      priceOf(entry.modelId, { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }, entry.tariff);

      return generateOnce(entry, request, (asked) => call(asked, signal, note));
    },
  };
};

export const listInstallationEntries = (keys: ModelKeys): ReadonlyMap<string, Entry> => {
  if (keys.OPENAI_BASE_URL !== undefined && keys.OPENAI_MODEL === undefined) {
    log().warn("OPENAI_BASE_URL is set but OPENAI_MODEL is not, so no model of that server can be chosen");
  }

  return listConfiguredModels(keys);
};
