import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createCheck, type Check } from "@/lib/checks";
import { resolveWithSystem, type Resolve } from "@/server/security/egress-connect";
import { canBeAt } from "@/server/security/egress-url";

const RESOLVE_MS = 5_000;
const MOST_ADDRESSES = 4;

const hostOf = (origin: string): string => new URL(origin).hostname.replaceAll(/[[\]]/g, "");

/** Facts have no brackets. */
const shown = (origin: string): string => origin.replace("[", "(").replace("]", ")");

const resolveWithin = async (host: string, resolve: Resolve): Promise<readonly string[]> => {
  if (isIP(host) !== 0) return [host];
  const answers = await Promise.race([resolve(host), delay(RESOLVE_MS, [], { ref: false })]).catch(() => []);

  return answers.map(({ address }) => address);
};

const checkOrigin = async (origin: string, allowOrigins: readonly string[], resolve: Resolve): Promise<Check> => {
  const addresses = await resolveWithin(hostOf(origin), resolve);
  if (addresses.length === 0) return createCheck("origin_unresolved", { origin: shown(origin) });
  const mayReach = canBeAt(origin, { allowOrigins });
  const bad = addresses.find((address) => !mayReach(address));
  if (bad !== undefined) return createCheck("origin_refused", { origin: shown(origin), address: bad });

  return createCheck("origin_open", { origin: shown(origin), addresses: addresses.slice(0, MOST_ADDRESSES).join(", ") });
};

export const checkOrigins = async (origins: readonly string[], resolve: Resolve = resolveWithSystem): Promise<readonly Check[]> =>
  origins.length === 0 ? [createCheck("origins_none")] : Promise.all(origins.map((origin) => checkOrigin(origin, origins, resolve)));
