import { z } from "zod";

const count = z.number().int().min(0).max(1_000_000_000);

/** One model call. Money in micro-USD. */
export const usageSchema = z.strictObject({
  model: z.string().max(200),
  input_tokens: count,
  /** Of the input; absent: none. */
  cached_input_tokens: count.exactOptional(),
  output_tokens: count,
  /** Of the output; absent: none. */
  reasoning_tokens: count.exactOptional(),
  cost_micro_usd: z.number().int().min(0),
  /** Price source: `scripted`, `genai-prices:<matched id>`, `override`. */
  price_source: z.string().max(200),
});
export type Usage = z.infer<typeof usageSchema>;
