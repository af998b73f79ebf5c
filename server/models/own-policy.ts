/** Where a workspace's own provider may be: public addresses, or those around us where an admin has said so. */
import { err, ok, type Result } from "@/lib/result";
import { baseUrlOf, originOf, type Provider } from "@/lib/model-provider";
import { checkUrl, PUBLIC_ONLY, type EgressFault, type EgressPolicy } from "@/server/security/egress-url";

type Place = Pick<Provider, "kind" | "base_url" | "allow_local">;

export type ProviderUrlFault = EgressFault | "not_plain";

/** What the guard is told; it looks again at every answer of the resolver and at every connection. */
export const providerPolicy = (provider: Place): EgressPolicy => {
  const origin = provider.allow_local ? originOf(provider) : null;

  return origin === null ? PUBLIC_ONLY : { allowOrigins: [], localOrigins: [origin] };
};

/** As typed, and as stored: its key is only ever sent to where this was asked about. */
export const checkProviderUrl = (provider: Place): Result<URL, ProviderUrlFault> => {
  const checked = checkUrl(baseUrlOf(provider) ?? "", providerPolicy(provider));
  if (!checked.ok) return err(checked.error);
  const { protocol, search, hash } = checked.value;
  if (search !== "" || hash !== "") return err("not_plain");

  return protocol === "https:" || provider.allow_local ? ok(checked.value) : err("not_https");
};
