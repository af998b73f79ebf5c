import { z } from "zod";

/** Price by an administrator, USD per million tokens, cached ones included. */
const modelPriceSchema = z.strictObject({
  input_usd_per_million: z.number().min(0).max(1_000_000),
  output_usd_per_million: z.number().min(0).max(1_000_000),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** A workspace's price, which takes precedence. */
export const priceOverrideSchema = z.strictObject({
  ...modelPriceSchema.shape,
  /** Contract or page. */
  source: z.string().trim().min(1).max(200),
  as_of: z.iso.date(),
});
export type PriceOverride = z.infer<typeof priceOverrideSchema>;

/** Highest token price known to the runner, and its source. */
export const modelRatesSchema = z.strictObject({
  ...modelPriceSchema.shape,
  /** `scripted`, `self-hosted`, `override`, or price list and matched name. */
  source: z.string().min(1).max(200),
  /** Time the runner read it, ms since 1970. */
  read_at: z.number().int().min(0),
});
export type ModelRates = z.infer<typeof modelRatesSchema>;

/** By `<provider>:<model id>`. */
export const modelPricesSchema = z.record(z.string().regex(/^[a-z-]{1,40}:.{1,150}$/u), modelPriceSchema);
