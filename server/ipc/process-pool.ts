import type { ChildProcess } from "node:child_process";
import { log } from "@/server/log";
import { PeerLost, type PeerLostReason } from "./errors";
import { createPeer, type Handlers, type Peer, type PeerLimits, type Protocol, type DescribeError } from "./peer";
import { endProcess, type ChannelProcess } from "./spawn";

export type PoolTimes = {
  readonly startMs: number;
  readonly pingEveryMs: number;
  /** Maximum blocking of an event loop. */
  readonly silentMs: number;
  readonly idleMs: number;
};

export const POOL_TIMES: PoolTimes = { startMs: 30_000, pingEveryMs: 1_000, silentMs: 10_000, idleMs: 60_000 };

export type PoolOptions<Serves extends Protocol, Calls extends Protocol> = {
  readonly name: string;
  /** `key` null: a spare for a later key. */
  readonly start: (key: string | null) => ChannelProcess;
  readonly serves: Serves;
  readonly handlersFor: (key: string) => Handlers<Serves>;
  readonly calls: Calls;
  readonly describeError?: DescribeError;
  readonly limits?: PeerLimits;
  readonly times?: PoolTimes;
  /** Not called when the pool ended the process. */
  readonly onLost?: (key: string, reason: PeerLostReason) => void;
  readonly maxProcesses: number;
  readonly hasSpare?: boolean;
};

export type ProcessPool<Calls extends Protocol> = {
  /** Waits while `maxProcesses` are in use. @throws PeerLost, and errors of `work` */
  use<T>(key: string, work: (peer: Peer<Calls>) => Promise<T>, signal?: AbortSignal): Promise<T>;
  pids(): readonly number[];
  close(): Promise<void>;
};

const SPARE_DELAY_MS = 5_000;

type Entry<Calls extends Protocol> = {
  readonly key: string;
  readonly child: ChildProcess;
  readonly peer: Peer<Calls>;
  readonly ready: Promise<void>;
  users: number;
  idle: NodeJS.Timeout | null;
};

const within = async (promise: Promise<void>, ms: number, reason: PeerLostReason): Promise<void> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new PeerLost(reason)), ms);
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

export const createProcessPool = <Serves extends Protocol, Calls extends Protocol>(
  options: PoolOptions<Serves, Calls>,
): ProcessPool<Calls> => {
  const { name, start, serves, handlersFor, calls, maxProcesses, times = POOL_TIMES } = options;
  const entries = new Map<string, Entry<Calls>>();
  const ending = new Set<Promise<void>>();
  let queue: (() => void)[] = [];
  let spare: ChannelProcess | null = null;
  let isClosed = false;

  const launch = (key: string | null): ChannelProcess => {
    const started = start(key);
    const { child } = started;
    child.stdout?.on("data", (chunk: Buffer) => process.stdout.write(chunk));
    child.stderr?.on("data", (chunk: Buffer) => process.stderr.write(chunk));
    child.on("error", (error) => log().error({ process: name, error: error.message }, "a process could not be started"));
    // Its stdin closes with this process and ends it.
    child.stdin?.on("error", () => undefined);

    return started;
  };

  const finish = (child: ChildProcess, graceMs?: number): void => {
    const done = endProcess(child, graceMs).finally(() => ending.delete(done));
    ending.add(done);
  };

  const wakeNext = (): void => {
    const [first, ...rest] = queue;
    queue = rest;
    first?.();
  };

  const drop = (entry: Entry<Calls>): void => {
    if (entries.get(entry.key) !== entry) return;
    entries.delete(entry.key);
    if (entry.idle) clearTimeout(entry.idle);
    wakeNext();
  };

  /** A blocked event loop would never answer. */
  const watch = async ({ peer, ready }: Entry<Calls>): Promise<void> => {
    try {
      await within(ready, times.startMs, "start_failed");
      while (peer.lost() === null) {
        await new Promise<void>((resolve) => setTimeout(resolve, times.pingEveryMs).unref());
        if (peer.lost() === null) await within(peer.ping(), times.silentMs, "unresponsive");
      }
    } catch (error) {
      peer.close(error instanceof PeerLost ? error.reason : "closed");
    }
  };

  const launchSpare = (): void => {
    if (isClosed || spare || entries.size >= maxProcesses) return;
    const launched = launch(null);
    spare = launched;
    launched.child.once("exit", () => {
      if (spare === launched) spare = null;
    });
  };

  const open = (key: string): Entry<Calls> => {
    const { child, channel } = spare ?? launch(key);
    spare = null;
    const peer = createPeer(channel, {
      serves,
      handlers: handlersFor(key),
      calls,
      ...(options.describeError ? { describeError: options.describeError } : {}),
      ...(options.limits ? { limits: options.limits } : {}),
      onLost: (reason) => {
        const isUnexpected = !isClosed && entries.get(key) === entry;
        drop(entry);
        if (isUnexpected) {
          log().error({ process: name, key, reason }, "a process broke off and is replaced");
          options.onLost?.(key, reason);
        }
        finish(child, reason === "closed" ? undefined : 0);
      },
    });
    child.once("exit", () => peer.close("closed"));
    const entry: Entry<Calls> = { key, child, peer, ready: peer.ping(), users: 0, idle: null };
    entries.set(key, entry);
    void watch(entry);
    // Avoids competing with the work that needed this one.
    if (options.hasSpare) setTimeout(launchSpare, SPARE_DELAY_MS).unref();

    return entry;
  };

  const evictIdle = (): boolean => {
    const unused = [...entries.values()].find(({ users }) => users === 0);
    if (unused) {
      drop(unused);
      unused.peer.close();
    }

    return unused !== undefined;
  };

  const acquire = async (key: string, signal?: AbortSignal): Promise<Entry<Calls>> => {
    for (;;) {
      signal?.throwIfAborted();
      if (isClosed) throw new PeerLost("closed");
      const known = entries.get(key);
      if (known) return known;
      if (entries.size < maxProcesses || evictIdle()) return open(key);
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  };

  const release = (entry: Entry<Calls>): void => {
    entry.users -= 1;
    if (entry.users > 0 || entries.get(entry.key) !== entry) return;
    // Keeps the longest idle one first, for eviction.
    entries.delete(entry.key);
    entries.set(entry.key, entry);
    entry.idle = setTimeout(() => {
      drop(entry);
      entry.peer.close();
    }, times.idleMs).unref();
    wakeNext();
  };

  if (options.hasSpare) launchSpare();

  return {
    use: async (key, work, signal) => {
      const entry = await acquire(key, signal);
      entry.users += 1;
      if (entry.idle) clearTimeout(entry.idle);
      entry.idle = null;
      try {
        await entry.ready;

        return await work(entry.peer);
      } finally {
        release(entry);
      }
    },
    pids: () => [...entries.values()].flatMap(({ child }) => child.pid ?? []),
    close: async () => {
      isClosed = true;
      for (const { peer } of entries.values()) peer.close();
      if (spare) finish(spare.child);
      for (const wake of queue) wake();
      await Promise.all(ending);
    },
  };
};
