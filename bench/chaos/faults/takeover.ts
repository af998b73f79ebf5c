import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Ask } from "@/bench/chaos/ask";

const LOOK_MS = 250;
const MOST_MS = 60_000;

const leaseSchema = z.object({
  id: z.string(),
  status: z.string(),
  version: z.number(),
  lease_epoch: z.number(),
  until: z.number().nullable(),
  /** Next look at a deferred run. */
  wake: z.number().nullable(),
  now: z.number(),
});
export type Lease = z.infer<typeof leaseSchema>;

const COLUMNS = `id, status, version, lease_epoch, extract(epoch from lease_until)::float8 * 1000 as until,
  extract(epoch from wake_at)::float8 * 1000 as wake, extract(epoch from now())::float8 * 1000 as now`;

export type Takeover = {
  readonly fault: "kill" | "pause";
  /** Until taken over. */
  readonly orphans: number;
  /** First takeover commit; null: none. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Last state of those not taken over. */
  readonly stuck: readonly string[];
};

export const leasesNow = async (ask: Ask): Promise<Lease[]> =>
  z.array(leaseSchema).parse(await ask(`select ${COLUMNS} from run where lease_until > now()`));

const AT_WORK = new Set(["pending", "scheduled", "running"]);

/** A lease outlives a dead holder. */
const isUnderWay = ({ status, wake, now }: Lease): boolean => AT_WORK.has(status) || (status === "retrying" && (wake ?? 0) <= now);

/** `driven`: its driver lived or finished; `orphan`: none; `taken`: by another one. */
export const fateOf = (before: Lease, row: Lease, wasOrphan: boolean): "driven" | "orphan" | "taken" | "open" => {
  const isSame = row.lease_epoch === before.lease_epoch;
  const ranOut = (before.until ?? 0) < row.now;
  // Alive.
  if (isSame && row.until !== before.until) return "driven";
  if (isSame && ranOut) return isUnderWay(row) ? "orphan" : "driven";
  if (!isSame && !wasOrphan && !ranOut) return "driven";

  return !isSame && row.version > before.version ? "taken" : "open";
};

const lastSeen = (before: Lease, row: Lease): string => {
  const inSeconds = (at: number | null): string => (at === null ? "none" : `${((at - row.now) / 1_000).toFixed(1)} s`);

  return `${row.id} is ${row.status}, version ${before.version} to ${row.version}, epoch ${before.lease_epoch} to ${row.lease_epoch}, lease ends in ${inSeconds(row.until)}, wakes in ${inSeconds(row.wake)}`;
};

/**
 * @param leases before the fault
 * @param outageMs subtracted
 */
export const followOrphans = async (
  ask: Ask,
  fault: Takeover["fault"],
  leases: readonly Lease[],
  outageMs: (sinceMs: number) => number,
): Promise<Takeover> => {
  const fromMs = Date.now();
  const open = new Map(leases.filter(isUnderWay).map((lease) => [lease.id, lease]));
  const orphans = new Map<string, number | null>();
  const seen = new Map<string, string>();
  const passedMs = (): number => Date.now() - fromMs - outageMs(fromMs);
  while (open.size > 0 && passedMs() < MOST_MS) {
    await wait(LOOK_MS);
    const rows = z.array(leaseSchema).parse(await ask(`select ${COLUMNS} from run where id = any($1)`, [[...open.keys()]]));
    for (const row of rows) {
      const before = open.get(row.id);
      if (!before) continue;
      const fate = fateOf(before, row, orphans.has(row.id));
      seen.set(row.id, lastSeen(before, row));
      if (fate === "driven") orphans.delete(row.id);
      if (fate === "orphan") orphans.set(row.id, null);
      if (fate === "taken") orphans.set(row.id, passedMs());
      if (fate === "driven" || fate === "taken") open.delete(row.id);
    }
  }
  const times = [...orphans.values()].filter((ms) => ms !== null);

  return {
    fault,
    orphans: orphans.size,
    firstMs: times.length === 0 ? null : Math.min(...times),
    lastMs: times.length === 0 ? null : Math.max(...times),
    stuck: [...orphans].flatMap(([id, ms]) => (ms === null ? [seen.get(id) ?? id] : [])),
  };
};
