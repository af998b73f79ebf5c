/** `X-Forwarded-For` counts only as far as trusted proxies wrote it. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;

export type AddressRange = { readonly network: Address; readonly prefix: number };

/** Some proxies append the port. */
const PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/u;

/** Parses a hop; null for non-addresses. */
export const parseHop = (text: string): Address | null => {
  const { v4, v6 } = PORT.exec(text)?.groups ?? {};
  const bare = v6 ?? v4 ?? text;

  return isIP(bare) === 0 ? null : ipaddr.process(bare);
};

/** Parses an address or CIDR, or null. */
export const parseRange = (text: string): AddressRange | null => {
  if (ipaddr.isValidCIDR(text)) {
    const [network, prefix] = ipaddr.parseCIDR(text);

    return { network, prefix };
  }
  const network = parseHop(text);

  return network && { network, prefix: network.kind() === "ipv4" ? 32 : 128 };
};

const isIn = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some(({ network, prefix }) => network.kind() === address.kind() && address.match([network, prefix]));

/** Returns the right-most untrusted hop. */
export const resolveClientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly AddressRange[],
): string => {
  const hops = forwardedFor?.split(",").map((hop) => parseHop(hop.trim())) ?? [];
  let client = parseHop(peer ?? "");
  while (client !== null && isIn(client, trusted)) {
    const before = hops.pop();
    // A proxy that appended nothing readable is the client.
    if (!before) break;
    client = before;
  }

  return client?.toString() ?? "unknown";
};
