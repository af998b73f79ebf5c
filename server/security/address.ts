import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure's host agent looks public. */
const HOST_AGENT = "168.63.129.16";

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for global unicast only. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST_V6);

  return parsed.toString() !== HOST_AGENT;
};

const OWN_NETWORK: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal"]);

/** Cloud metadata in the private range. */
const METADATA_V6: ReadonlySet<string> = new Set(["fd00:ec2::254", "fd20:ce::254"]);

/** True for this machine and private networks, not link-local. */
export const isLocalAddress = (address: string): boolean => {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);

  return OWN_NETWORK.has(parsed.range()) && !METADATA_V6.has(parsed.toString());
};
