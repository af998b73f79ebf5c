import { err, ok, type Result } from "@/lib/result";
import { getBaseUrl, getOrigin, type Provider } from "@/lib/model-provider";
import { checkUrl, PUBLIC_ONLY, type EgressFault, type EgressPolicy } from "@/server/security/egress-url";

type Place = Pick<Provider, "kind" | "base_url" | "allow_local">;

export type ProviderUrlFault = EgressFault | "not_plain";

/** Returns the egress policy for every resolution and connection. */
export const getProviderPolicy = (provider: Place): EgressPolicy => {
  const origin = provider.allow_local ? getOrigin(provider) : null;

  return origin === null ? PUBLIC_ONLY : { allowOrigins: [], localOrigins: [origin] };
};

/** Parses a provider URL; its key goes only to this origin. */
export const checkProviderUrl = (provider: Place): Result<URL, ProviderUrlFault> => {
  const checked = checkUrl(getBaseUrl(provider) ?? "", getProviderPolicy(provider));
  if (!checked.ok) return err(checked.error);
  const { protocol, search, hash } = checked.value;
  if (search !== "" || hash !== "") return err("not_plain");

  return protocol === "https:" || provider.allow_local ? ok(checked.value) : err("not_https");
};
