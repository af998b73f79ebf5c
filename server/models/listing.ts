import type { ChoosableModel, ModelInfo } from "@/lib/model-info";
import type { ModelRates } from "@/lib/model-price";
import { ownNameOf, getProvider } from "@/lib/model-provider";
import { isAllowed, findSetting, type ModelSettings } from "@/lib/model-settings";
import { ownTariff } from "./own-tariff";
import { getRates } from "./price";

export type ListedModel = ChoosableModel & { readonly allowed: boolean; readonly own: boolean };

/** Lists all models of the workspace. @param now milliseconds since 1970 */
export const listOfferedModels = (installation: readonly ModelInfo[], settings: ModelSettings, now: number): readonly ListedModel[] => {
  const ofInstallation = installation.map((info): ListedModel => {
    const setting = findSetting(settings, info.id);
    const override = info.scripted ? null : (setting?.price ?? null);
    const overridden = override ? getRates(ownNameOf(info.id), { override }) : null;
    const rates: ModelRates | null = overridden ? { ...overridden, read_at: now } : info.rates;

    return { ...info, rates, defaults: [...(setting?.defaults ?? [])], allowed: isAllowed(settings, info.id), own: false };
  });
  const own = settings.models.flatMap(({ model, allowed, price, defaults }): ListedModel[] => {
    const provider = settings.providers.find(({ id }) => id === getProvider(model));
    if (!provider) return [];
    const name = ownNameOf(model);
    const rates = getRates(name, ownTariff(provider, price));

    return [
      {
        id: model,
        label: `${provider.name}: ${name}`,
        provider: provider.id,
        scripted: false,
        rates: rates && { ...rates, read_at: now },
        defaults: [...defaults],
        allowed,
        own: true,
      },
    ];
  });

  return [...ofInstallation, ...own];
};
