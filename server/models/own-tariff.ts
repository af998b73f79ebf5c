import { isIP } from "node:net";
import { findProvider } from "@pydantic/genai-prices";
import { getBaseUrl, type Provider } from "@/lib/model-provider";
import type { PriceOverride } from "@/lib/model-price";
import { isLocalAddress } from "@/server/security/address";
import type { Tariff } from "./price";

const LOCAL_NAME = /^(?:localhost|[^.]+|.+\.(?:localhost|local|internal|home\.arpa))$/u;

const isLocal = ({ allow_local: isOpened, ...provider }: Pick<Provider, "kind" | "base_url" | "allow_local">): boolean => {
  const host = URL.parse(getBaseUrl(provider) ?? "")?.hostname.replaceAll(/^\[|\]$/gu, "") ?? "";

  return isOpened && (isIP(host) === 0 ? LOCAL_NAME.test(host) : isLocalAddress(host));
};

/** Prefers an admin's price; unlisted addresses have none. */
export const ownTariff = (provider: Pick<Provider, "kind" | "base_url" | "allow_local">, price: PriceOverride | null): Tariff => {
  if (price) return { override: price };
  const known = findProvider({ providerApiUrl: getBaseUrl(provider) ?? "" });

  if (known) return { provider: known.id };

  return isLocal(provider) ? { free: "self-hosted" } : { unknown: true };
};
