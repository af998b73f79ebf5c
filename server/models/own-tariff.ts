import { findProvider } from "@pydantic/genai-prices";
import { getBaseUrl, type Provider } from "@/lib/model-provider";
import type { PriceOverride } from "@/lib/model-price";
import type { Tariff } from "./price";

/** Prefers an admin's price; unlisted addresses otherwise have none. */
export const ownTariff = (provider: Pick<Provider, "kind" | "base_url">, price: PriceOverride | null): Tariff => {
  if (price) return { override: price };
  const known = findProvider({ providerApiUrl: getBaseUrl(provider) ?? "" });

  return known ? { provider: known.id } : { unknown: true };
};
