import { z } from "zod";

/** What an administrator says that a model costs, in USD per million tokens, cached ones included. */
const modelPriceSchema = z.strictObject({
  input_usd_per_million: z.number().min(0).max(1_000_000),
  output_usd_per_million: z.number().min(0).max(1_000_000),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** A price of one workspace, which goes before every other. */
export const priceOverrideSchema = z.strictObject({
  ...modelPriceSchema.shape,
  /** Where it is from: a contract, a page. */
  source: z.string().trim().min(1).max(200),
  /** The day that it is of. */
  as_of: z.iso.date(),
});
export type PriceOverride = z.infer<typeof priceOverrideSchema>;

/** The dearest that a token of a model can be, as the runner that would call it knows it, and from where. */
export const modelRatesSchema = z.strictObject({
  ...modelPriceSchema.shape,
  /** `scripted`, `self-hosted`, `override`, or the price list and its name for the model. */
  source: z.string().min(1).max(200),
  /** When the runner read it, ms since 1970. */
  read_at: z.number().int().min(0),
});
export type ModelRates = z.infer<typeof modelRatesSchema>;

/** By `<provider>:<model id>`. */
export const modelPricesSchema = z.record(z.string().regex(/^[a-z-]{1,40}:.{1,150}$/u), modelPriceSchema);
