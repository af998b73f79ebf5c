import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";

/** Orphans of a killed server need a moment to end. */
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;

/** After this long, crashes count from zero. */
const HEALTHY_AFTER_MS = 60_000;

export type Supervision = {
  readonly restart: () => Promise<Cluster>;
  /** Called before each attempt. @param how end of the server */
  readonly onCrash: (how: string, pauseMs: number) => void;
  /** Called when no attempt is left. */
  readonly onGivenUp: (how: string) => void;
  readonly backoffMs?: readonly number[];
};

const howOf = ({ process: { exitCode, signalCode } }: Cluster): string => `it ended with ${signalCode ?? `code ${exitCode}`}`;

/** Restarts a crashed server. @returns a function that stops it and the restarts */
export const superviseCluster = (
  first: Cluster,
  { restart, onCrash, onGivenUp, backoffMs = BACKOFF_MS }: Supervision,
): (() => Promise<void>) => {
  const stopped = new AbortController();
  let current = first;
  let startedMs = Date.now();
  let crashes = 0;
  let starting: Promise<void> = Promise.resolve();

  const start = async (how: string): Promise<void> => {
    const pauseMs = backoffMs[crashes];
    crashes += 1;
    if (pauseMs === undefined) return onGivenUp(how);
    onCrash(how, pauseMs);
    await wait(pauseMs, undefined, { signal: stopped.signal });
    try {
      current = await restart();
    } catch (error) {
      return stopped.signal.aborted ? undefined : start(error instanceof Error ? error.message : String(error));
    }
    startedMs = Date.now();
    watch();
  };
  const watch = (): void => {
    current.process.once("exit", () => {
      if (stopped.signal.aborted) return;
      if (Date.now() - startedMs > HEALTHY_AFTER_MS) crashes = 0;
      starting = start(howOf(current)).catch(() => undefined);
    });
  };
  watch();

  return async () => {
    stopped.abort();
    // Nothing else could stop it.
    await starting;
    await current.stop();
  };
};
