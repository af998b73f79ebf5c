/** The egress guard's network-free part. */
import { isIP } from "node:net";
import { err, ok, type Result } from "@/lib/result";
import { isLocalAddress, isPublicAddress } from "./address";

export type EgressFault = "url_invalid" | "scheme_not_http" | "credentials_in_url" | "host_not_public" | "not_https";

/** Opened by code, never by configuration. */
export type EgressPolicy = {
  readonly allowOrigins: readonly string[];
  /** Opened by an admin for local addresses only. */
  readonly localOrigins?: readonly string[];
  /** For other origins. */
  readonly requireHttps?: true;
};
export const PUBLIC_ONLY: EgressPolicy = { allowOrigins: [] };

/** Returns an origin's address check. Plain text stays local. */
export const canBeAt = (origin: string, policy: EgressPolicy): ((address: string) => boolean) => {
  if (policy.localOrigins?.includes(origin) !== true) return isPublicAddress;

  return origin.startsWith("http:") ? isLocalAddress : (address) => isPublicAddress(address) || isLocalAddress(address);
};

const MAX_URL_CHARS = 2_000;
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Dotless names resolve only in private networks. */
const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_NAMES.test(host);

/** Without brackets or trailing dot. */
const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Checks a URL, without the network. */
export const checkUrl = (text: string, policy: EgressPolicy = PUBLIC_ONLY): Result<URL, EgressFault> => {
  const url = text.length <= MAX_URL_CHARS ? URL.parse(text) : null;
  if (!url) return err("url_invalid");
  if (url.protocol !== "https:" && url.protocol !== "http:") return err("scheme_not_http");
  if (url.username !== "" || url.password !== "") return err("credentials_in_url");
  if (policy.allowOrigins.includes(url.origin)) return ok(url);

  const host = bareHost(url);
  const isName = isIP(host) === 0;
  const isOpen = isName ? !isLocalName(host) || policy.localOrigins?.includes(url.origin) === true : canBeAt(url.origin, policy)(host);

  if (!isOpen) return err("host_not_public");

  return policy.requireHttps && url.protocol !== "https:" ? err("not_https") : ok(url);
};
