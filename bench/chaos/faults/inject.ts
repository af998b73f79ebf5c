import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Ask } from "@/bench/chaos/ask";
import type { Fault, FaultKind } from "@/bench/chaos/faults/plan";
import { followOrphans, leasesNow, type Takeover } from "@/bench/chaos/faults/takeover";
import type { Home } from "@/bench/chaos/home";
import { linesOf } from "@/bench/chaos/log-lines";
import type { ModelServer } from "@/bench/chaos/models";
import type { Postgres } from "@/bench/chaos/postgres";
import type { Runners } from "@/bench/chaos/runners";

const TOOL_RATE = 0.3;
const MODEL_RATE = 0.4;
const START_TRIES = 60;

/** `hits`: affected work in flight. */
export type Injected = { readonly kind: FaultKind; readonly hits: number; readonly words: string };

export type World = {
  readonly home: Home;
  readonly postgres: Postgres;
  readonly runners: Runners;
  readonly models: ModelServer;
  readonly ask: Ask;
};

export type Injector = {
  inject(fault: Fault): Promise<void>;
  readonly injected: readonly Injected[];
  readonly takeovers: readonly Takeover[];
  /** Null: killed. */
  readonly drains: readonly (number | null)[];
  readonly skipped: Readonly<Partial<Record<FaultKind, string>>>;
  outageMs(sinceMs: number): number;
  /** Every fault ended and all followed runs were seen. */
  settled(): Promise<void>;
};

/** Serializes faults by target. */
const queues = () => {
  const last = new Map<string, Promise<void>>();

  return (key: string, work: () => Promise<void>): Promise<void> => {
    const next = (last.get(key) ?? Promise.resolve()).then(work);
    last.set(
      key,
      next.catch(() => undefined),
    );

    return next;
  };
};

const counted = z.object({ n: z.number() });

export const createInjector = ({ home, postgres, runners, models, ask }: World): Injector => {
  const injected: Injected[] = [];
  const takeovers: Takeover[] = [];
  const drains: (number | null)[] = [];
  const skipped: Partial<Record<FaultKind, string>> = {};
  const outages: { readonly from: number; to: number | null }[] = [];
  const followed: Promise<void>[] = [];
  const inTurn = queues();
  const done = (kind: FaultKind, hits: number, words: string): void => void injected.push({ kind, hits, words });

  const outageMs = (sinceMs: number): number =>
    outages.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? Date.now()) - Math.max(from, sinceMs)), 0);

  const bringUp = async (): Promise<void> => {
    for (let tried = 0; !postgres.isUp() && tried < START_TRIES; tried += 1) {
      await postgres.start().catch(() => wait(500));
    }
  };
  const outage = async (work: () => Promise<void>): Promise<void> => {
    const one = { from: Date.now(), to: null as number | null };
    outages.push(one);
    try {
      await work();
      await bringUp();
      await ask("select 1");
    } finally {
      one.to = Date.now();
    }
  };

  const follow = (kind: Takeover["fault"], leases: Awaited<ReturnType<typeof leasesNow>>): void => {
    const see = async (): Promise<void> => {
      const takeover = await followOrphans(ask, kind, leases, outageMs);
      takeovers.push(takeover);
      done(kind, takeover.orphans, "runs orphaned");
    };
    followed.push(see());
  };

  const ready = async (place: number): Promise<void> => {
    for (let looked = 0; !runners.isReady(place) && looked < 100; looked += 1) await wait(200);
  };

  const skewed = async (fromMs: number, toMs: number): Promise<number> => {
    const rows = await ask("select count(*)::int as n from ledger_record where (body::jsonb ->> 'at')::bigint between $1 and $2", [
      fromMs,
      toMs,
    ]);

    return counted.parse(rows[0]).n;
  };

  const jump = async ({ place, byMs, forMs }: Fault): Promise<void> => {
    const from = Date.now() + byMs - 1_000;
    const before = await skewed(from, from + forMs + 4_000);
    runners.shiftClock(place, byMs);
    await wait(forMs);
    runners.shiftClock(place, 0);
    await wait(1_000);
    done("clock", (await skewed(from, from + forMs + 4_000)) - before, "records at another time");
  };

  const fillDisk = async (forMs: number): Promise<void> => {
    if (typeof home.disk === "string") {
      skipped.disk = home.disk;

      return;
    }
    const { disk } = home;
    const seen = (): number => postgres.said().split("No space left on device").length - 1;
    const before = seen();
    await outage(async () => {
      disk.fill();
      await wait(forMs);
      disk.free();
    });
    done("disk", seen() - before, "writes refused");
  };

  const cut = async (): Promise<void> => {
    const rows = await ask(
      `with hit as (select pid, state from pg_stat_activity where usename in ('countersign_runner', 'countersign_web') and pid <> pg_backend_pid()
         and random() < 0.4)
       select count(*) filter (where state <> 'idle')::int as n from hit where pg_terminate_backend(pid)`,
    );
    done("cut", counted.parse(rows[0]).n, "connections at work");
  };

  const misbehave = async (kind: "tools" | "models", forMs: number): Promise<void> => {
    const seen = (): number =>
      kind === "tools" ? linesOf(home.misdeeds).length : Object.values(models.misdeeds).reduce((a, b) => a + b, 0);
    const rate = (value: number): void => (kind === "tools" ? fs.writeFileSync(home.toolRate, String(value)) : models.disturb(value));
    const before = seen();
    rate(kind === "tools" ? TOOL_RATE : MODEL_RATE);
    await wait(forMs);
    rate(0);
    done(kind, seen() - before, "answers that were wrong, late or missing");
  };

  const act = async (fault: Fault): Promise<void> => {
    const { kind, place, forMs } = fault;
    switch (kind) {
      case "kill": {
        await ready(place);
        const leases = await leasesNow(ask);
        runners.kill(place);

        return follow("kill", leases);
      }
      case "pause": {
        await ready(place);
        const leases = await leasesNow(ask);
        const paused = runners.pause(place, forMs);
        follow("pause", leases);

        return paused;
      }
      case "drain": {
        await ready(place);
        const under = (await leasesNow(ask)).length;
        drains.push(await runners.drain(place));

        return done("drain", under, "runs under way in all runners");
      }
      case "restart":
      case "crash": {
        const under = (await leasesNow(ask)).length;
        await outage(() => postgres.stop(kind === "crash" ? "immediate" : "fast"));

        return done(kind, under, "runs under way");
      }
      case "cut":
        return cut();
      case "worker":
      case "tool_host":
        await ready(place);

        return done(kind, runners.signalHelpers(place, kind, fault.byMs < 0 ? "SIGSTOP" : "SIGKILL"), "processes killed or stopped");
      case "clock":
        return jump(fault);
      case "disk":
        return fillDisk(forMs);
      case "tools":
      case "models":
        return misbehave(kind, forMs);
      default:
        return kind satisfies never;
    }
  };

  const turnOf = ({ kind, place }: Fault): string => {
    if (kind === "restart" || kind === "crash" || kind === "disk") return "database";

    return kind === "tools" || kind === "models" || kind === "cut" ? kind : `runner ${place}`;
  };

  return {
    inject: (fault) => inTurn(turnOf(fault), () => act(fault)),
    injected,
    takeovers,
    drains,
    skipped,
    outageMs,
    settled: async () => {
      for (const turn of [
        "database",
        "tools",
        "models",
        "cut",
        ...Array.from({ length: runners.places }, (_, place) => `runner ${place}`),
      ]) {
        await inTurn(turn, async () => undefined);
      }
      await Promise.all(followed);
    },
  };
};
