import { describe, expect, test } from "vitest";
import type { RunListener } from "@/server/store/runs/channel";
import { makeRunBus } from "./run-bus";

const LONG_MS = 60_000;

/** A channel that the test speaks on. */
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

describe("whoever follows a run", () => {
  test("looks at once, then when the run is announced, and not when another one is", async () => {
    const { listeners, listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a");
    await wakeups.next(LONG_MS);
    // The connection was made meanwhile, and what happened before it is looked for.
    await wakeups.next(LONG_MS);
    const woken = wakeups.next(LONG_MS).then(() => "woken");
    listeners[0]?.onRun("b");
    expect(await Promise.race([woken, Promise.resolve("asleep")])).toBe("asleep");
    listeners[0]?.onRun("a");
    expect(await woken).toBe("woken");
    bus.close();
  });

  test("misses nothing that is announced while it is busy", async () => {
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

  test("goes on by itself after a while, and at once when it is told to stop", async () => {
    const { listen } = channel();
    const bus = makeRunBus(listen);
    const wakeups = bus.follow("a");
    await wakeups.next(LONG_MS);
    await wakeups.next(LONG_MS);
    await expect(wakeups.next(1)).resolves.toBeUndefined();
    await expect(wakeups.next(LONG_MS, AbortSignal.abort())).resolves.toBeUndefined();
    bus.close();
  });

  test("shares one connection, which is made again when it is lost", async () => {
    const { listeners, listen, opened } = channel();
    const bus = makeRunBus(listen);
    const first = bus.follow("a");
    bus.follow("b");
    await first.next(LONG_MS);
    await first.next(LONG_MS);
    expect(opened()).toBe(1);
    listeners[0]?.onLost();
    // Woken by the second connection: whatever was announced in between is looked for.
    await first.next(LONG_MS);
    expect(opened()).toBe(2);
    bus.close();
  });
});
