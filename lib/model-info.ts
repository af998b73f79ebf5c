import { z } from "zod";
import { modelRatesSchema } from "@/lib/model-price";

export const MODEL_USES = ["runs", "architect"] as const;
export type ModelUse = (typeof MODEL_USES)[number];

export const modelInfoSchema = z.strictObject({
  /** `scripted:<persona>` or `<provider>:<model id>`. */
  id: z.string().min(1).max(200),
  label: z.string().min(1).max(300),
  provider: z.string().min(1).max(100),
  scripted: z.boolean(),
  /** Null: unknown, so calls are refused. */
  rates: modelRatesSchema.nullable().default(null),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** `defaults`: uses it was chosen for. */
export type ChoosableModel = ModelInfo & { readonly defaults: readonly ModelUse[] };

/** Returns the use's chosen model, else a configured provider's with a price, else the first. */
export const getDefaultModel = (models: readonly ChoosableModel[], use: ModelUse): string | null =>
  (models.find(({ defaults }) => defaults.includes(use)) ?? models.find(({ scripted, rates }) => !scripted && rates !== null) ?? models[0])
    ?.id ?? null;
