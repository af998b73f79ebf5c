import { z } from "zod";

const usdPerMillion = z.number().min(0).max(1_000_000);

const ratesSchema = z.strictObject({ input_usd_per_million: usdPerMillion, output_usd_per_million: usdPerMillion });

/** USD per million tokens; the cache's default to the input's. */
const modelPriceSchema = z.strictObject({
  ...ratesSchema.shape,
  cache_read_usd_per_million: usdPerMillion.exactOptional(),
  cache_write_usd_per_million: usdPerMillion.exactOptional(),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** Takes precedence in its workspace. */
export const priceOverrideSchema = z.strictObject({
  ...modelPriceSchema.shape,
  /** Contract or page. */
  source: z.string().trim().min(1).max(200),
  as_of: z.iso.date(),
});
export type PriceOverride = z.infer<typeof priceOverrideSchema>;

export const modelRatesSchema = z.strictObject({
  ...ratesSchema.shape,
  /** `scripted`, `self-hosted`, `override`, or price list and name. */
  source: z.string().min(1).max(200),
  /** ms since 1970, runner's clock. */
  read_at: z.number().int().min(0),
});
export type ModelRates = z.infer<typeof modelRatesSchema>;

/** By `<provider>:<model id>`. */
export const modelPricesSchema = z.record(z.string().regex(/^[a-z-]{1,40}:.{1,150}$/u), modelPriceSchema);
