import { z } from "zod";

/** What an administrator says that a model costs, in USD per million tokens, cached ones included. */
const modelPriceSchema = z.strictObject({
  input_usd_per_million: z.number().min(0).max(1_000_000),
  output_usd_per_million: z.number().min(0).max(1_000_000),
});
export type ModelPrice = z.infer<typeof modelPriceSchema>;

/** By `<provider>:<model id>`. */
export const modelPricesSchema = z.record(z.string().regex(/^[a-z-]{1,40}:.{1,150}$/u), modelPriceSchema);
