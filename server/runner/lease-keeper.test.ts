import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createLeaseKeeper } from "@/server/runner/lease-keeper";

const LEASE_MS = 150;

type Renew = Parameters<typeof createLeaseKeeper>[0];

const keyed = (leases: Parameters<Renew>[0]) => new Set(leases.map(({ runId, epoch }) => `${runId} ${epoch}`));

const kept = (renew: Renew, { sinceMs = performance.now(), leaseMs = LEASE_MS } = {}) => {
  const lease = createLeaseKeeper(renew).keep({ runId: randomUUID(), epoch: 1 }, leaseMs, sinceMs);
  const lost = new Promise<number>((resolve) => lease.onLost(() => resolve(performance.now() - sinceMs)));

  return { lease, lost };
};

test("a lease with failing renewals lasts exactly its term", async () => {
  let asked = 0;
  const { lease, lost } = kept(() => {
    asked += 1;

    return Promise.reject(new Error("no connection"));
  });
  expect(lease.holds()).toBe(true);
  expect(await lost).toBeGreaterThanOrEqual(LEASE_MS);
  expect(asked).toBeGreaterThan(0);
  expect(lease.holds()).toBe(false);
});

test("an unanswered renewal does not keep a lease", async () => {
  const { lease, lost } = kept(() => new Promise(() => undefined));
  await lost;
  expect(lease.holds()).toBe(false);
});

test("a lease that another holds is lost at once; renewed and skipped ones are not", async () => {
  const none = new Set<string>();
  const leaseMs = 3_000;
  const others = kept(() => Promise.resolve({ renewed: none, skipped: none }), { leaseMs });
  expect(await others.lost).toBeLessThan(leaseMs);

  let renewals = 0;
  const done = Promise.withResolvers<void>();
  const held = kept(
    (leases) => {
      renewals += 1;
      if (renewals === 4) done.resolve();
      const isSkipped = renewals % 2 === 0;

      return Promise.resolve({ renewed: isSkipped ? none : keyed(leases), skipped: isSkipped ? keyed(leases) : none });
    },
    { leaseMs },
  );
  await Promise.race([done.promise, held.lost]);
  expect(held.lease.holds()).toBe(true);
  held.lease.end();
});

test("a process paused beyond the lease finds it expired before any timer runs", () => {
  const { lease } = kept((leases) => Promise.resolve({ renewed: keyed(leases), skipped: new Set() }), {
    sinceMs: performance.now() - LEASE_MS,
  });
  let told = false;
  expect(lease.holds()).toBe(false);
  lease.onLost(() => (told = true));
  expect(told).toBe(true);
});
