/** Next hides connections from handlers, so the header is settled on arrival. */
import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { parseHop, resolveClientAddress, type AddressRange } from "./trusted-proxies";

const HEADER = "x-forwarded-for";

const requestOf = (message: unknown): IncomingMessage | null => {
  const request: unknown = typeof message === "object" && message !== null && "request" in message ? message.request : null;

  return request instanceof IncomingMessage ? request : null;
};

/** Replaces every request's `X-Forwarded-For` by its client's address. Call once. */
export const settleClientAddresses = (trusted: readonly AddressRange[]): void => {
  subscribe("http.server.request.start", (message) => {
    const request = requestOf(message);
    if (!request) return;
    const given = request.headers[HEADER];
    request.headers[HEADER] = resolveClientAddress(request.socket.remoteAddress, [given ?? []].flat().join(","), trusted);
  });
};

export const getClientAddress = (settled: string | null | undefined): string => parseHop(settled ?? "")?.toString() ?? "unknown";

/** Returns a rate-limit key: an IPv6 client controls 2^64 addresses. */
export const getClientNetwork = (settled: string | null | undefined): string => {
  const address = parseHop(settled ?? "");

  return address?.kind() === "ipv6" ? address.toByteArray().slice(0, 8).join(".") : (address?.toString() ?? "unknown");
};
