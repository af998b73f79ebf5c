import { calcPrice, type ModelPrice as ListedPrice } from "@pydantic/genai-prices";
import type { ModelPrice, ModelRates } from "@/lib/model-price";
import { ModelError, type Tokens } from "./contract";

export const PRICE_LIST = "genai-prices 0.1.8";

export type Tariff =
  | { readonly free: "scripted" | "self-hosted" }
  | { readonly override: ModelPrice }
  | { readonly provider: string }
  | { readonly unknown: true };

export type Price = { readonly cost_micro_usd: number; readonly price_source: string };

const MICRO = 1_000_000;

/** The list uses floating point: drops noise below a millionth of a micro-USD; the rest rounds up. */
const microUsd = (usd: number): number => Math.ceil(Number((usd * MICRO).toFixed(6)));

const cacheRatesOf = (price: ModelPrice) => ({
  read: price.cache_read_usd_per_million ?? price.input_usd_per_million,
  write: price.cache_write_usd_per_million ?? price.input_usd_per_million,
});

const overridden = ({ input, cacheRead, cacheWrite, output }: Omit<Tokens, "reasoning">, price: ModelPrice): number => {
  const { read, write } = cacheRatesOf(price);
  const fresh = Math.max(0, input - cacheRead - cacheWrite) * price.input_usd_per_million;

  return microUsd((fresh + cacheRead * read + cacheWrite * write + output * price.output_usd_per_million) / MICRO);
};

/** Prices a call; the matched id is recorded because the list matches by prefix. @throws ModelError("model_price_unknown") */
export const priceOf = (modelId: string, tokens: Omit<Tokens, "reasoning">, tariff: Tariff): Price => {
  if ("free" in tariff) return { cost_micro_usd: 0, price_source: tariff.free };
  if ("override" in tariff) return { cost_micro_usd: overridden(tokens, tariff.override), price_source: "override" };
  const usage = {
    input_tokens: tokens.input,
    cache_read_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite,
    output_tokens: tokens.output,
  };
  const price = "unknown" in tariff ? null : calcPrice(usage, modelId, { providerId: tariff.provider });
  if (!price) throw new ModelError("model_price_unknown", false, "No price is known for this model.", { billed: "no" });

  return { cost_micro_usd: microUsd(price.total_price), price_source: `genai-prices:${price.model.id}`.slice(0, 200) };
};

const dearest = (prices: readonly ListedPrice[], units: readonly string[]): number =>
  Math.max(
    0,
    ...prices.flatMap((price) =>
      units.flatMap((unit) => {
        const listed = price[unit];
        if (listed === undefined) return [];

        return typeof listed === "number" ? [listed] : [listed.base, ...listed.tiers.map((tier) => tier.price)];
      }),
    ),
  );

export const getRates = (modelId: string, tariff: Tariff): Omit<ModelRates, "read_at"> | null => {
  if ("free" in tariff) return { input_usd_per_million: 0, output_usd_per_million: 0, source: tariff.free };
  if ("override" in tariff) {
    const { input_usd_per_million: input, output_usd_per_million } = tariff.override;
    const { read, write } = cacheRatesOf(tariff.override);

    return { input_usd_per_million: Math.max(input, read, write), output_usd_per_million, source: "override" };
  }
  const found = "unknown" in tariff ? null : calcPrice({ input_tokens: 1, output_tokens: 1 }, modelId, { providerId: tariff.provider });
  if (!found) return null;
  const { model } = found;
  const prices = Array.isArray(model.prices) ? model.prices.map((conditional) => conditional.prices) : [model.prices];

  return {
    input_usd_per_million: dearest(prices, ["input_mtok", "cache_write_mtok", "cache_read_mtok"]),
    output_usd_per_million: dearest(prices, ["output_mtok"]),
    source: `genai-prices:${model.id}`.slice(0, 200),
  };
};

/** Null: unknown. @param providerId of the price list */
export const getContextTokens = (modelId: string, providerId: string): number | null =>
  calcPrice({ input_tokens: 1, output_tokens: 1 }, modelId, { providerId })?.model.context_window ?? null;

export const hasPrice = (modelId: string, tariff: Tariff): boolean => getRates(modelId, tariff) !== null;
