/** A model that a runner can call, as the screens know it. */
import { z } from "zod";
import { modelRatesSchema } from "@/lib/model-price";

/** What a model can be the default for. */
export const MODEL_USES = ["runs", "architect"] as const;
export type ModelUse = (typeof MODEL_USES)[number];

export const modelInfoSchema = z.strictObject({
  /** `scripted:<persona>` or `<provider>:<model id>`. */
  id: z.string().min(1).max(200),
  label: z.string().min(1).max(300),
  provider: z.string().min(1).max(100),
  /** Its words come from a script, and the screen says so. */
  scripted: z.boolean(),
  /** Null: nobody knows, so the runner refuses every call of it. */
  rates: modelRatesSchema.nullable().default(null),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** `defaults`: what the workspace's admins made it the default for. */
export type ChoosableModel = ModelInfo & { readonly defaults: readonly ModelUse[] };

/** What is chosen where nobody has chosen yet. */
export const defaultModel = (models: readonly ChoosableModel[], use: ModelUse): string | null =>
  (models.find(({ defaults }) => defaults.includes(use)) ?? models[0])?.id ?? null;
