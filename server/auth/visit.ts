import net from "node:net";
import { getClientAddress } from "./client-address";

export type Visit = { readonly address: string; readonly userAgent: string };

const MOST_AGENT = 200;

export const UNKNOWN_ADDRESS = "unknown";

/** Masks the last IPv4 number, or all but the first three IPv6 groups. */
export const maskAddress = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (net.isIPv4(plain)) return plain.replace(/\d+$/, "x");
  if (!net.isIPv6(plain)) return UNKNOWN_ADDRESS;
  if (plain === "::1") return plain;
  const groups = plain.split("%")[0]?.split("::")[0]?.split(":").slice(0, 3) ?? [];

  return `${groups.join(":")}::x`;
};

// Untrusted: keep one printable line.
const agentText = (agent: string): string =>
  agent
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, MOST_AGENT);

export const visitOf = (headers: Headers): Visit => ({
  address: maskAddress(getClientAddress(headers.get("x-forwarded-for"))),
  userAgent: agentText(headers.get("user-agent") ?? ""),
});
