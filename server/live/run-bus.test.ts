import { describe, expect, test } from "vitest";
import type { RunListener } from "@/server/store/runs/channel";
import { makeRunBus } from "./run-bus";

const LONG_MS = 60_000;

const channel = () => {
  const listeners: RunListener[] = [];
  let opened = 0;

  return {
    listeners,
    opened: () => opened,
    listen: async (listener: RunListener) => {
      opened += 1;
      listeners.push(listener);

      return () => undefined;
    },
  };
};

describe("a follower of a run", () => {
  test("looks at once, then when its run is announced, not another", async () => {
    const { listeners, listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a");
    await wakeups.next(LONG_MS);
    // Anything before the connection must be looked for.
    await wakeups.next(LONG_MS);
    const woken = wakeups.next(LONG_MS).then(() => "woken");
    listeners[0]?.onRun("b");
    expect(await Promise.race([woken, Promise.resolve("asleep")])).toBe("asleep");
    listeners[0]?.onRun("a");
    expect(await woken).toBe("woken");
    bus.close();
  });

  test("misses no announcement while busy", async () => {
    const { listeners, listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a");
    await wakeups.next(LONG_MS);
    await wakeups.next(LONG_MS);
    listeners[0]?.onRun("a");
    await expect(wakeups.next(LONG_MS)).resolves.toBeUndefined();
    bus.close();
  });

  test("hears of each of several runs", async () => {
    const { listeners, listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a", "b");
    await wakeups.next(LONG_MS);
    await wakeups.next(LONG_MS);
    for (const run of ["b", "a"]) {
      const woken = wakeups.next(LONG_MS).then(() => run);
      listeners[0]?.onRun(run);
      expect(await woken).toBe(run);
    }
    wakeups.close();
    bus.close();
  });

  test("continues after the timeout, and at once on abort", async () => {
    const { listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a");
    await wakeups.next(LONG_MS);
    await wakeups.next(LONG_MS);
    await expect(wakeups.next(1)).resolves.toBeUndefined();
    await expect(wakeups.next(LONG_MS, AbortSignal.abort())).resolves.toBeUndefined();
    bus.close();
  });

  test("shares one connection, which reconnects when lost", async () => {
    const { listeners, listen, opened } = channel();
    const bus = makeRunBus(listen);
    const first = bus.follow("a");
    bus.follow("b");
    await first.next(LONG_MS);
    await first.next(LONG_MS);
    expect(opened()).toBe(1);
    listeners[0]?.onLost();
    // The second connection wakes for anything in between.
    await first.next(LONG_MS);
    expect(opened()).toBe(2);
    bus.close();
  });
});
