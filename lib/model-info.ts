/** A model that a runner can call, as the screens know it. */
import { z } from "zod";
import { modelRatesSchema } from "@/lib/model-price";

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
