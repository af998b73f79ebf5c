/** This process's leases, renewed by one statement, expiring by a clock that advances while it is paused. */
import { log } from "@/server/log";
import { renewLeases } from "@/server/store/ledger/run-heads";

export type Lease = {
  /** Ask right before anything irreversible: a paused process learns here, before its timers, that its lease expired. */
  readonly holds: () => boolean;
  /** Calls once, immediately if already expired. */
  readonly onLost: (tell: () => void) => void;
  readonly end: () => void;
};

type Place = { readonly runId: string; readonly epoch: number };
type Held = Place & { readonly leaseMs: number; untilMs: number; readonly lost: AbortController };

/** Locked rows are skipped and retried this soon. */
const SKIPPED_MS = 250;

type Keeper = {
  /** @param sinceMs `performance.now()` from before taking the lease */
  readonly keep: (place: Place, leaseMs: number, sinceMs: number) => Lease;
};

export const createLeaseKeeper = (renew: typeof renewLeases): Keeper => {
  const held = new Set<Held>();
  let timer: NodeJS.Timeout | null = null;
  let askedMs = -Infinity;
  let isAsking = false;

  const everyMs = (): number => Math.min(...[...held].map(({ leaseMs }) => leaseMs)) / 3;

  const lose = (lease: Held): void => {
    if (held.delete(lease)) lease.lost.abort();
  };

  const isOver = (lease: Held): boolean => {
    if (!lease.lost.signal.aborted && performance.now() >= lease.untilMs) lose(lease);

    return lease.lost.signal.aborted;
  };

  /** @returns the number skipped */
  const renewAll = async (leases: readonly Held[]): Promise<number> => {
    const sinceMs = performance.now();
    const { renewed, skipped } = await renew(leases);
    for (const lease of leases) {
      const key = `${lease.runId} ${lease.epoch}`;
      if (renewed.has(key)) lease.untilMs = Math.max(lease.untilMs, sinceMs + lease.leaseMs);
      else if (!skipped.has(key)) lose(lease);
    }

    return skipped.size;
  };

  const schedule = (inMs: number): void => {
    if (timer) clearTimeout(timer);
    timer = held.size === 0 ? null : setTimeout(tick, Math.max(0, inMs));
  };

  function tick(): void {
    const nowMs = performance.now();
    for (const lease of held) isOver(lease);
    const periodMs = everyMs();
    schedule(periodMs);
    // An unanswered statement must not delay the next: its leases may expire meanwhile.
    if (held.size === 0 || (isAsking && nowMs - askedMs < periodMs * 2)) return;
    askedMs = nowMs;
    isAsking = true;
    renewAll([...held])
      .then((skipped) => skipped > 0 && schedule(Math.min(SKIPPED_MS, periodMs / 2)))
      .catch((error: unknown) => log().warn({ error: String(error), leases: held.size }, "leases were not renewed"))
      .finally(() => (isAsking = false));
  }

  return {
    keep: (place, leaseMs, sinceMs) => {
      const lease: Held = { ...place, leaseMs, untilMs: sinceMs + leaseMs, lost: new AbortController() };
      const beforeMs = everyMs();
      held.add(lease);
      if (!timer || everyMs() < beforeMs) schedule(everyMs() - (performance.now() - sinceMs));

      return {
        holds: () => !isOver(lease),
        onLost: (tell) => {
          if (isOver(lease)) tell();
          else lease.lost.signal.addEventListener("abort", tell, { once: true });
        },
        end: () => {
          held.delete(lease);
          if (held.size === 0) schedule(0);
        },
      };
    },
  };
};

export const leases = createLeaseKeeper(renewLeases);
