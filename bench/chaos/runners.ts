import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Home } from "@/bench/chaos/home";
import { commandOf, listDescendants } from "@/server/testing/process-tree";
import { linesOf, logLinesOf, type LogLine } from "@/bench/chaos/log-lines";

const DRAIN_MS = 15_000;
const AGAIN_MS = 500;
const READY = "the runner is ready";

export type Death = { readonly place: number; readonly atMs: number; readonly how: string; readonly wasReady: boolean };
export type Sample = { readonly place: number; readonly pid: number; readonly at: number; readonly rss: number; readonly heap: number };

export type Runners = {
  readonly places: number;
  isReady(place: number): boolean;
  kill(place: number): void;
  /** @returns time to exit; null: killed */
  drain(place: number): Promise<number | null>;
  pause(place: number, forMs: number): Promise<void>;
  /** @returns number of processes */
  signalHelpers(place: number, kind: "worker" | "tool_host", signal: NodeJS.Signals): number;
  /** 0 resets it. */
  shiftClock(place: number, byMs: number): void;
  stop(): Promise<void>;
  readonly deaths: readonly Death[];
  samples(): Sample[];
  log(): LogLine[];
};

type Place = {
  readonly log: string;
  readonly clock: string;
  readonly memory: string;
  child: ChildProcess | null;
  ready: boolean;
  wanted: boolean;
};

const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
const ended = (child: ChildProcess): Promise<void> =>
  isOver(child) ? Promise.resolve() : new Promise((resolve) => child.once("exit", () => resolve()));

type Wanted = { readonly count: number; readonly databaseUrl: string; readonly customersUrl: string; readonly modelUrl: string };

export const startRunners = (home: Home, { count, databaseUrl, customersUrl, modelUrl }: Wanted): Runners => {
  const deaths: Death[] = [];
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    COUNTERSIGN_HOME: home.folder,
    DATABASE_URL: databaseUrl,
    COUNTERSIGN_CUSTOMERS_URL: customersUrl,
    NEXTAUTH_URL: "http://localhost:3000",
    OPENAI_BASE_URL: modelUrl,
    OPENAI_MODEL: "chaos",
    COUNTERSIGN_DRAIN_MS: String(DRAIN_MS - 5_000),
  };
  const places = Array.from({ length: count }, (_, index): Place => {
    const of = (name: string): string => path.join(home.notes, `${name}-${index}`);

    return {
      log: path.join(home.logs, `runner-${index}.log`),
      clock: of("clock"),
      memory: of("memory"),
      child: null,
      ready: false,
      wanted: true,
    };
  });

  const start = (place: Place, index: number): void => {
    const preload = pathToFileURL(home.preloadProgram);
    preload.searchParams.set("clock", place.clock);
    preload.searchParams.set("memory", place.memory);
    const args = ["--expose-gc", "--enable-source-maps", "--import", preload.href, home.runnerProgram];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        fs.appendFileSync(place.log, text);
        if (text.includes(READY)) place.ready = true;
      });
    }
    child.once("exit", (code, signal) => {
      const wasReady = place.ready;
      place.ready = false;
      if (place.child !== child || !place.wanted) return;
      deaths.push({ place: index, atMs: Date.now(), how: signal ?? `exit ${code}`, wasReady });
      setTimeout(() => {
        if (place.wanted) start(place, index);
      }, AGAIN_MS);
    });
    place.child = child;
  };
  places.forEach(start);

  const at = (index: number): Place => {
    const place = places[index];
    if (!place) throw new Error(`there is no runner ${index}`);

    return place;
  };
  /** Its exit is expected. */
  const takeOut = (place: Place): ChildProcess | null => {
    const { child } = place;
    place.child = null;
    place.ready = false;

    return child;
  };
  const drainPlace = async (place: Place): Promise<number | null> => {
    const child = takeOut(place);
    if (!child) return null;
    const from = performance.now();
    child.kill("SIGTERM");
    const isLate = Symbol("late");
    const first = await Promise.race([ended(child), wait(DRAIN_MS + 5_000, isLate, { ref: false })]);
    if (first !== isLate) return performance.now() - from;
    child.kill("SIGKILL");
    await ended(child);

    return null;
  };

  return {
    places: count,
    deaths,
    isReady: (index) => at(index).ready,
    kill: (index) => {
      const place = at(index);
      takeOut(place)?.kill("SIGKILL");
      start(place, index);
    },
    drain: async (index) => {
      const place = at(index);
      const tookMs = await drainPlace(place);
      if (place.wanted) start(place, index);

      return tookMs;
    },
    pause: async (index, forMs) => {
      const { child } = at(index);
      child?.kill("SIGSTOP");
      await wait(forMs);
      child?.kill("SIGCONT");
    },
    signalHelpers: (index, kind, signal) => {
      const bundle = path.join("build", kind === "worker" ? "worker.mjs" : "tool-host.mjs");
      const { pid } = at(index).child ?? {};
      const helpers = pid === undefined ? [] : listDescendants(pid).filter((each) => commandOf(each).includes(bundle));

      return helpers.filter((helper) => {
        try {
          return process.kill(helper, signal);
        } catch {
          return false;
        }
      }).length;
    },
    shiftClock: (index, byMs) => fs.writeFileSync(at(index).clock, String(byMs)),
    stop: async () => {
      for (const place of places) place.wanted = false;
      await Promise.all(places.map(drainPlace));
    },
    samples: () =>
      places.flatMap(({ memory }, place) => linesOf(memory).map((line) => ({ place, ...(JSON.parse(line) as Omit<Sample, "place">) }))),
    log: () => places.flatMap(({ log }) => logLinesOf(linesOf(log))),
  };
};
