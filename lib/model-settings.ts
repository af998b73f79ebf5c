import { z } from "zod";
import { MODEL_USES } from "@/lib/model-info";
import { priceOverrideSchema } from "@/lib/model-price";
import { isScripted, modelIdSchema, getProvider, providerSchema, withEnvironmentKeys } from "@/lib/model-provider";

export const modelSettingSchema = z.strictObject({
  model: modelIdSchema,
  allowed: z.boolean(),
  /** Null: the price list's. */
  price: priceOverrideSchema.nullable(),
  defaults: z.array(z.enum(MODEL_USES)).max(MODEL_USES.length),
  revision: z.number().int().min(1),
});
export type ModelSetting = z.infer<typeof modelSettingSchema>;

export const MOST_PROVIDERS = 50;
export const MOST_MODELS = 500;

export const modelSettingsSchema = z.strictObject({
  providers: z.array(providerSchema).max(MOST_PROVIDERS),
  models: z.array(modelSettingSchema).max(MOST_MODELS),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;

export const findSetting = ({ models }: ModelSettings, model: string): ModelSetting | null =>
  models.find((each) => each.model === model) ?? null;

export const isOwnModel = ({ providers }: ModelSettings, model: string): boolean => providers.some(({ id }) => id === getProvider(model));

/** Allows scripted, unremoved installation and listed workspace models. */
export const isAllowed = (settings: ModelSettings, model: string): boolean =>
  isScripted(model) || (findSetting(settings, model)?.allowed ?? !isOwnModel(settings, model));

export const forgetEnvironmentKeys = ({ providers, models }: ModelSettings, environment: string): ModelSettings => ({
  models,
  providers: providers.map((provider) =>
    provider.environment_keys?.includes(environment)
      ? withEnvironmentKeys(
          provider,
          provider.environment_keys.filter((one) => one !== environment),
        )
      : provider,
  ),
});
