/** What models of a workspace's own providers cost. */
import { findProvider } from "@pydantic/genai-prices";
import { baseUrlOf, type Provider } from "@/lib/model-provider";
import type { PriceOverride } from "@/lib/model-price";
import type { Tariff } from "./price";

/** A price that an admin sets goes before every other. An address that the price list does not know has no price until then. */
export const ownTariff = (provider: Pick<Provider, "kind" | "base_url">, price: PriceOverride | null): Tariff => {
  if (price) return { override: price };
  const known = findProvider({ providerApiUrl: baseUrlOf(provider) ?? "" });

  return known ? { provider: known.id } : { unknown: true };
};
