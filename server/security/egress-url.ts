/** The part of the egress guard that needs no network: what may be written into, and read out of, the registry. */
import { isIP } from "node:net";
import { err, ok, type Result } from "@/lib/result";
import { isLocalAddress, isPublicAddress } from "./address";

export type EgressFault = "url_invalid" | "scheme_not_http" | "credentials_in_url" | "host_not_public" | "not_https";

/** Everything is closed by default; an origin is opened by an argument of the code that runs, never by configuration. */
export type EgressPolicy = {
  readonly allowOrigins: readonly string[];
  /** Origins that an admin has opened for this machine and the private network around it, and for nothing else. */
  readonly localOrigins?: readonly string[];
  /** Whether everything else has to be https, so that nobody on the way can read or change it. */
  readonly requireHttps?: true;
};
export const PUBLIC_ONLY: EgressPolicy = { allowOrigins: [] };

/** Which addresses an origin may be at. What was opened for local addresses goes in clear to no other ones. */
export const mayBeAt = (origin: string, policy: EgressPolicy): ((address: string) => boolean) => {
  if (policy.localOrigins?.includes(origin) !== true) return isPublicAddress;

  return origin.startsWith("http:") ? isLocalAddress : (address) => isPublicAddress(address) || isLocalAddress(address);
};

const MAX_URL_CHARS = 2_000;
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** A name without a dot only resolves inside somebody's network. */
const isLocalName = (host: string): boolean => !host.includes(".") || LOCAL_NAMES.test(host);

/** The host as the resolver sees it: no brackets, no trailing dot. */
const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Parses and judges a URL as typed or as stored. Names still have to pass the resolver and the socket check. */
export const checkUrl = (text: string, policy: EgressPolicy = PUBLIC_ONLY): Result<URL, EgressFault> => {
  const url = text.length <= MAX_URL_CHARS ? URL.parse(text) : null;
  if (!url) return err("url_invalid");
  if (url.protocol !== "https:" && url.protocol !== "http:") return err("scheme_not_http");
  if (url.username !== "" || url.password !== "") return err("credentials_in_url");
  if (policy.allowOrigins.includes(url.origin)) return ok(url);

  const host = bareHost(url);
  const isName = isIP(host) === 0;
  const isOpen = isName ? !isLocalName(host) || policy.localOrigins?.includes(url.origin) === true : mayBeAt(url.origin, policy)(host);

  if (!isOpen) return err("host_not_public");

  return policy.requireHttps && url.protocol !== "https:" ? err("not_https") : ok(url);
};
