import { describe, expect, test } from "vitest";
import type { Moved } from "@/server/trpc/routers/runs/live";
import { makeHub, type Connect, type Listener, type Message, type Surroundings } from "./hub";

const A = "00000000-0000-4000-8000-00000000000a";
const B = "00000000-0000-4000-8000-00000000000b";

const moved = (runId: string, version: number): Moved => ({ runId, status: "running", version, frozen: null });

const browser = () => {
  const ears = new Map<string, (message: Message) => void>();
  const leaving = new Map<string, (() => void)[]>();
  const queue: { readonly tab: string; readonly lead: () => Promise<void> }[] = [];
  let isTaken = false;

  const elect = async (): Promise<void> => {
    for (let next = isTaken ? undefined : queue.shift(); next; next = isTaken ? undefined : queue.shift()) {
      isTaken = true;
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what a lock is for
      await next.lead();
      isTaken = false;
    }
  };
  const surroundings = (tab: string): Surroundings => ({
    tab,
    elect: (lead) => {
      queue.push({ tab, lead });
      void elect();
    },
    post: (message) => {
      for (const [other, hear] of ears) if (other !== tab) hear(structuredClone(message));
    },
    listen: (hear) => void ears.set(tab, hear),
    onLeave: (leave) => void leaving.set(tab, [...(leaving.get(tab) ?? []), leave]),
  });

  return {
    surroundings,
    close: async (tab: string) => {
      for (const leave of leaving.get(tab) ?? []) leave();
      ears.delete(tab);
      await Promise.resolve();
    },
  };
};

const server = () => {
  const open: { readonly runIds: readonly string[]; readonly on: Listener }[] = [];
  const opened = Promise.withResolvers<void>();
  const connect: Connect = (runIds, on) => {
    const connection = { runIds, on };
    open.push(connection);
    opened.resolve();
    waiting?.();

    return () => void open.splice(open.indexOf(connection), 1);
  };
  let waiting: (() => void) | null = null;
  const isOpenFor = (...runIds: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      waiting = () => {
        const ids = open.at(-1)?.runIds ?? [];
        if (ids.length === runIds.length && runIds.every((id) => ids.includes(id))) resolve();
      };
      waiting();
    });

  return { open, connect, isOpenFor };
};

const heard = () => {
  const versions: number[] = [];

  return { versions, listener: { onMoved: ({ version }: Moved) => void versions.push(version), onLink: () => undefined } };
};

describe("tabs of one browser", () => {
  test("share one connection and each receive updates of their own run", async () => {
    const { surroundings } = browser();
    const { open, connect, isOpenFor } = server();
    const [first, second, third] = [heard(), heard(), heard()];
    makeHub(connect, surroundings("1")).follow(A, first.listener);
    makeHub(connect, surroundings("2")).follow(A, second.listener);
    makeHub(connect, surroundings("3")).follow(B, third.listener);
    await isOpenFor(A, B);
    open[0]?.on.onMoved(moved(A, 7));
    open[0]?.on.onMoved(moved(B, 9));

    expect(open).toHaveLength(1);
    expect([first.versions, second.versions, third.versions]).toEqual([[7], [7], [9]]);
  });

  test("continue when the tab with the connection is closed", async () => {
    const { surroundings, close } = browser();
    const { open, connect, isOpenFor } = server();
    const [first, second] = [heard(), heard()];
    makeHub(connect, surroundings("1")).follow(A, first.listener);
    makeHub(connect, surroundings("2")).follow(B, second.listener);
    await isOpenFor(A, B);
    await close("1");
    await isOpenFor(B);
    open[0]?.on.onMoved(moved(B, 3));

    expect(open).toHaveLength(1);
    expect([first.versions, second.versions]).toEqual([[], [3]]);
  });

  test("that open later receive the latest version of the run at once", async () => {
    const { surroundings } = browser();
    const { open, connect, isOpenFor } = server();
    const [first, second] = [heard(), heard()];
    makeHub(connect, surroundings("1")).follow(A, first.listener);
    await isOpenFor(A);
    open[0]?.on.onMoved(moved(A, 5));
    makeHub(connect, surroundings("2")).follow(A, second.listener);

    expect(second.versions).toEqual([5]);
    expect(open).toHaveLength(1);
  });

  test("close the connection when none of them follows a run", async () => {
    const { surroundings } = browser();
    const { open, connect, isOpenFor } = server();
    const stop = makeHub(connect, surroundings("1")).follow(A, heard().listener);
    await isOpenFor(A);
    stop();
    await expect.poll(() => open).toEqual([]);
  });
});
