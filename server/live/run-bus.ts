/** Wake-ups only mean "look again", so lost ones are harmless. */
import { log } from "@/server/log";
import { listenToRuns, type RunListener } from "@/server/store/runs/channel";

export type Wakeups = {
  /** Resolves on a possible move since the last call. */
  next(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  close(): void;
};

export type RunBus = {
  follow(...runIds: readonly string[]): Wakeups;
  close(): void;
};

type Follower = { wake(): void };

const MIN_RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 15_000;

const makeWakeups = (join: (follower: Follower) => () => void): Wakeups => {
  // Earlier commits are unread too.
  let isDue = true;
  let resume: (() => void) | null = null;
  const leave = join({
    wake: () => {
      isDue = true;
      resume?.();
    },
  });

  return {
    next: async (timeoutMs, signal) => {
      if (!isDue && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const done = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", done);
            resolve();
          };
          const timer = setTimeout(done, timeoutMs);
          resume = done;
          signal?.addEventListener("abort", done, { once: true });
        });
        resume = null;
      }
      isDue = false;
    },
    close: leave,
  };
};

/** Makes a bus. Followers don't wait for `listen`, since they also poll. */
export const makeRunBus = (listen: (listener: RunListener) => Promise<() => void>): RunBus => {
  const followers = new Map<string, Set<Follower>>();
  let stop: (() => void) | null = null;
  let retry: ReturnType<typeof setTimeout> | null = null;
  let isConnecting = false;
  let isClosed = false;
  let delayMs = MIN_RECONNECT_MS;

  const wake = (runId: string) => followers.get(runId)?.forEach((follower) => follower.wake());
  const again = () => {
    if (isClosed || retry !== null || followers.size === 0) return;
    retry = setTimeout(() => void connect(), delayMs);
    delayMs = Math.min(delayMs * 2, MAX_RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    if (isClosed || isConnecting || stop !== null) return;
    isConnecting = true;
    retry = null;
    try {
      stop = await listen({
        onRun: wake,
        onLost: () => {
          stop = null;
          again();
        },
      });
      delayMs = MIN_RECONNECT_MS;
      // Announcements may have been missed.
      for (const runId of followers.keys()) wake(runId);
    } catch (error) {
      log().warn({ code: error instanceof Error ? error.name : "unknown" }, "listening for runs failed; trying again");
      again();
    } finally {
      isConnecting = false;
    }
    if (isClosed) release();
  };
  const join = (runId: string, follower: Follower): void => {
    followers.set(runId, (followers.get(runId) ?? new Set()).add(follower));
  };
  const leave = (runId: string, follower: Follower): void => {
    const set = followers.get(runId);
    set?.delete(follower);
    if (set?.size === 0) followers.delete(runId);
  };
  const release = () => {
    stop?.();
    stop = null;
  };

  return {
    follow: (...runIds) =>
      makeWakeups((follower) => {
        for (const runId of runIds) join(runId, follower);
        if (retry === null) void connect();

        return () => {
          for (const runId of runIds) leave(runId, follower);
        };
      }),
    close: () => {
      isClosed = true;
      if (retry !== null) clearTimeout(retry);
      release();
    },
  };
};

let bus: RunBus | null = null;

/** Returns the process's bus; connects on the first follow. */
export const runBus = (): RunBus => (bus ??= makeRunBus(listenToRuns));

export const closeRunBus = (): void => {
  bus?.close();
  bus = null;
};
