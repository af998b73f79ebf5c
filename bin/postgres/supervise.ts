/** Keeps a Postgres server running: after a crash it is started again on its own port, a few times in a row. */
import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";

/** Pauses before each start in a row; after the last one it is given up. Orphans of a killed server need a moment to end. */
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;

/** A server that lived this long had started well: its next crash counts as the first. */
const HEALTHY_AFTER_MS = 60_000;

export type Supervision = {
  /** Starts a server on the same data and port. */
  readonly restart: () => Promise<Cluster>;
  /** Told before each attempt. @param how the server ended, or why it did not start */
  readonly onCrash: (how: string, pauseMs: number) => void;
  /** Told once, when no attempt is left. @param how as above */
  readonly onGivenUp: (how: string) => void;
  readonly backoffMs?: readonly number[];
};

const howOf = ({ process: { exitCode, signalCode } }: Cluster): string => `it ended with ${signalCode ?? `code ${exitCode}`}`;

/** @returns what stops the server that runs then, and the supervision */
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
      // A pause that is aborted is the end of it.
      starting = start(howOf(current)).catch(() => undefined);
    });
  };
  watch();

  return async () => {
    stopped.abort();
    // A server that is just starting is stopped when it has started: nobody else could.
    await starting;
    await current.stop();
  };
};
