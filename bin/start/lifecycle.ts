/** Stops everything of a supervisor in reverse order. */
import { StartFailure } from "./failure.ts";
import { say } from "./progress.ts";
import { writeErr } from "../terminal.mjs";

export type Lifecycle = {
  /** Aborts when the end begins. */
  readonly signal: AbortSignal;
  readonly onStop: (undo: () => Promise<void> | void) => void;
  /** Ends with exit code 1; silent during the end. */
  readonly fail: (error: unknown) => void;
};

const sentenceOf = (error: unknown): string =>
  error instanceof StartFailure
    ? `Countersign cannot start: ${error.message}\n`
    : `Countersign cannot start because of an unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;

/** Handles signals. @param script npm script */
export const beginLifecycle = (script: string): Lifecycle => {
  const undo: (() => Promise<void> | void)[] = [];
  const aborted = new AbortController();
  let stopping: Promise<never> | null = null;

  const stop = (exitCode: number): Promise<never> => {
    stopping ??= (async () => {
      aborted.abort();
      for (const stopOne of undo.toReversed()) await stopOne();

      return process.exit(exitCode);
    })();

    return stopping;
  };

  const onSignal = (): void => {
    if (stopping !== null) return;
    say("\n  Stopping …");
    void stop(0);
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  // An older Node holds the other end.
  process.once("disconnect", onSignal);
  // npm's shell ends without passing the signal on.
  if (process.env["npm_lifecycle_event"] === script) {
    const parent = process.ppid;

    setInterval(() => {
      if (process.ppid !== parent) onSignal();
    }, 500).unref();
  }

  return {
    signal: aborted.signal,
    onStop: (stopOne) => void undo.push(stopOne),
    fail: (error) => {
      if (stopping !== null) return;
      writeErr(sentenceOf(error));
      void stop(1);
    },
  };
};
