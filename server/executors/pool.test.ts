import { assert, asyncProperty, integer } from "fast-check";
import { expect, test } from "vitest";
import { Suspended } from "@/server/executors/contract";
import { runPooled } from "@/server/executors/pool";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const list = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const neverEnds = () => false;

test("works on each thing once, in order, within the limit", async () => {
  await assert(
    asyncProperty(integer({ min: 0, max: 30 }), integer({ min: 1, max: 8 }), async (count, limit) => {
      let running = 0;
      let most = 0;
      const started: number[] = [];
      const results = await runPooled(
        list(count),
        limit,
        async (thing, index) => {
          started.push(index);
          running += 1;
          most = Math.max(most, running);
          await turn();
          running -= 1;

          return thing * 2;
        },
        neverEnds,
      );
      expect(results).toEqual(list(count).map((thing) => thing * 2));
      expect(started).toEqual(list(count));
      expect(most).toBe(Math.min(count, limit));
    }),
    { numRuns: 30 },
  );
});

test("starts nothing after a terminal result, and waits for work under way", async () => {
  const results = await runPooled(
    list(6),
    2,
    async (thing) => (await turn(), thing),
    (thing) => thing === 1,
  );

  expect(results.slice(0, 2)).toEqual([0, 1]);
  expect(results.slice(3)).toEqual([undefined, undefined, undefined]);
});

test("a suspension stops new work, lets the rest settle, and wins over other errors", async () => {
  const settled: number[] = [];
  const started: number[] = [];
  const running = runPooled(
    list(9),
    3,
    async (thing) => {
      started.push(thing);
      await turn();
      if (thing === 0) throw new Error("fault");
      await turn();
      if (thing === 1) throw new Suspended();
      settled.push(thing);

      return thing;
    },
    neverEnds,
  );

  await expect(running).rejects.toBeInstanceOf(Suspended);
  expect(settled).toEqual([2]);
  expect(started).toEqual([0, 1, 2]);
});
