/** The port's implementation: models by id, never by a bare name that would be sent to somebody's gateway. */
import type { ModelInfo } from "@/lib/model-info";
import { systemClock, type Clock } from "@/server/clock";
import { log } from "@/server/log";
import { ModelError, type Models } from "./contract";
import { generateOnce } from "./generate";
import { priceOf, ratesOf } from "./price";
import { configuredModels, type Entry, type ModelKeys } from "./providers";
import { worstCaseTokens } from "./usage";

export const createModels = (keys: ModelKeys, clock: Clock = systemClock): Models => {
  const models = configuredModels(keys);
  const readAt = clock.now();
  const listed = [...models.values()].map(({ info, modelId, tariff }): ModelInfo => {
    const rates = ratesOf(modelId, tariff);

    return { ...info, rates: rates && { ...rates, read_at: readAt } };
  });
  if (keys.OPENAI_BASE_URL !== undefined && keys.OPENAI_MODEL === undefined) {
    log().warn("OPENAI_BASE_URL is set but OPENAI_MODEL is not, so no model of that server can be chosen");
  }

  const entryOf = (id: string): Entry => {
    const entry = models.get(id);
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
