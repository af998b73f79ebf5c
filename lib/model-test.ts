/** Test call result, without the model's text. */
import { z } from "zod";

export const modelTestSchema = z.strictObject({
  /** Record that names the requester. */
  record: z.number().int().min(0),
  model: z.string().min(1).max(200),
  /** ms since 1970 */
  at: z.number().int().min(0),
  took_ms: z.number().int().min(0),
  outcome: z.discriminatedUnion("ok", [
    z.strictObject({
      ok: z.literal(true),
      input_tokens: z.number().int().min(0),
      output_tokens: z.number().int().min(0),
      cost_micro_usd: z.number().int().min(0),
      price_source: z.string().max(200),
    }),
    /** Fixed sentence, since provider text is untrusted. */
    z.strictObject({ ok: z.literal(false), code: z.string().max(60), message: z.string().max(500) }),
  ]),
});
export type ModelTest = z.infer<typeof modelTestSchema>;
