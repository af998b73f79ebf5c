/** The egress guard's network-free part. */
import { isIP } from "node:net";
import type { AddressFault } from "@/lib/mcp/refused-address";
import { err, ok, type Result } from "@/lib/result";
import { isLocalAddress, isPublicAddress } from "./address";

export type EgressFault = AddressFault;

export type EgressPolicy = {
  /** Opened by code or the operator; plain text may leave this network. */
  readonly allowOrigins: readonly string[];
  /** Opened by an admin for local addresses only. */
  readonly localOrigins?: readonly string[];
  /** For other origins. */
  readonly requireHttps?: true;
};
export const PUBLIC_ONLY: EgressPolicy = { allowOrigins: [] };

const isOpenAddress = (address: string): boolean => isPublicAddress(address) || isLocalAddress(address);

/** Returns an origin's address check: never link-local or cloud metadata. */
export const canBeAt = (origin: string, policy: EgressPolicy): ((address: string) => boolean) => {
  if (policy.allowOrigins.includes(origin)) return isOpenAddress;
  if (policy.localOrigins?.includes(origin) !== true) return isPublicAddress;

  return origin.startsWith("http:") ? isLocalAddress : isOpenAddress;
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
  const host = bareHost(url);
  const isAllowed = policy.allowOrigins.includes(url.origin);
  const isNamed = isAllowed || policy.localOrigins?.includes(url.origin) === true;
  const isOpen = isIP(host) === 0 ? isNamed || !isLocalName(host) : canBeAt(url.origin, policy)(host);
  if (!isOpen) return err("host_not_public");
  if (isAllowed) return ok(url);

  return policy.requireHttps && url.protocol !== "https:" ? err("not_https") : ok(url);
};
