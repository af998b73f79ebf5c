/** Where a sign-in comes from, as it is kept and shown to whoever looks through sessions: enough to know one's own again. */
import net from "node:net";
import { clientAddress } from "./client-address";

export type Visit = { readonly address: string; readonly userAgent: string };

const MOST_AGENT = 200;

/** The masked form of what is no address. */
export const UNKNOWN_ADDRESS = "unknown";

/** The network that an address is in: without its last number, or the first three groups of a version 6 one. */
export const maskedAddress = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (net.isIPv4(plain)) return plain.replace(/\d+$/, "x");
  if (!net.isIPv6(plain)) return UNKNOWN_ADDRESS;
  if (plain === "::1") return plain;
  const groups = plain.split("%")[0]?.split("::")[0]?.split(":").slice(0, 3) ?? [];

  return `${groups.join(":")}::x`;
};

// What the browser says of itself is anybody's text: one line of printable characters is kept.
const agentText = (agent: string): string =>
  agent
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, MOST_AGENT);

export const visitOf = (headers: Headers): Visit => ({
  address: maskedAddress(clientAddress(headers.get("x-forwarded-for"))),
  userAgent: agentText(headers.get("user-agent") ?? ""),
});
