/** The port's implementation: models by id, never by a bare name that would be sent to somebody's gateway. */
import type { ModelInfo } from "@/lib/model-info";
import { systemClock, type Clock } from "@/server/clock";
import { log } from "@/server/log";
import { ModelError, type Models } from "./contract";
import { generateOnce } from "./generate";
import { priceOf, ratesOf } from "./price";
import { configuredModels, type Entry, type ModelKeys } from "./providers";
import { worstCaseTokens } from "./usage";

const REASONS = {
  model_not_allowed: "An admin has not allowed this model.",
  model_unusable: "This model's provider cannot be used: its address or its key is not what an admin set.",
} as const;

/**
 * @param entries by id
 * @param refused why some ids are not called, whether there is an entry of theirs or not
 */
export const modelsOf = (
  entries: ReadonlyMap<string, Entry>,
  refused: (id: string) => "model_not_allowed" | "model_unusable" | null,
  clock: Clock,
): Models => {
  const readAt = clock.now();
  const listed = [...entries.values()].map(({ info, modelId, tariff }): ModelInfo => {
    const rates = ratesOf(modelId, tariff);

    return { ...info, rates: rates && { ...rates, read_at: readAt } };
  });

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
      const { input, output } = worstCaseTokens(request);
      // Writing to a cache is the dearest way to be read, so that is what the worst case assumes.
      const price = priceOf(entry.modelId, { input, cacheRead: 0, cacheWrite: input, output }, entry.tariff);

      return { tokens: input + output, cost_micro_usd: price.cost_micro_usd };
    },
    generate: async (request, signal) => {
      const entry = entryOf(request.model);
      // Before the call: a call whose price nobody knows is not made.
      priceOf(entry.modelId, { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }, entry.tariff);

      return generateOnce(entry, request, signal, () => clock.now());
    },
  };
};

/** The installation's own models, by what its environment says. */
export const installationEntries = (keys: ModelKeys): ReadonlyMap<string, Entry> => {
  if (keys.OPENAI_BASE_URL !== undefined && keys.OPENAI_MODEL === undefined) {
    log().warn("OPENAI_BASE_URL is set but OPENAI_MODEL is not, so no model of that server can be chosen");
  }

  return configuredModels(keys);
};

export const createModels = (keys: ModelKeys, clock: Clock = systemClock): Models => modelsOf(installationEntries(keys), () => null, clock);
