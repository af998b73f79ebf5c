import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchCalls } from "@/lib/batch-calls";

type Batch = PromiseWithResolvers<readonly string[]> & { readonly group: string; readonly items: readonly string[] };

const createWork = (mostItems = 10) => {
  const batches: Batch[] = [];
  const call = batchCalls<string, string>((group, items) => {
    const batch = { ...Promise.withResolvers<readonly string[]>(), group, items };
    batches.push(batch);

    return batch.promise;
  }, mostItems);
  const answer = async (place: number) => {
    const { items = [], resolve } = batches[place] ?? {};
    resolve?.(items.map((item) => `${item}!`));
    await turn();
  };

  return { batches, call, answer, asked: () => batches.map(({ group, items }) => [group, ...items]) };
};

describe("batchCalls", () => {
  it("batches the calls of a turn, and those during a batch into the next", async () => {
    const { call, answer, asked } = createWork();
    const first = [call("a", "1"), call("a", "2")];
    await turn();
    const later = [call("a", "3"), call("a", "4")];
    await turn();
    expect(asked()).toEqual([["a", "1", "2"]]);
    await answer(0);
    expect(await Promise.all(first)).toEqual(["1!", "2!"]);
    expect(asked()[1]).toEqual(["a", "3", "4"]);
    await answer(1);
    expect(await Promise.all(later)).toEqual(["3!", "4!"]);
  });

  it("keeps groups apart, bounds a batch, and starts again when idle", async () => {
    const { call, answer, asked } = createWork(2);
    const all = [call("a", "1"), call("a", "2"), call("a", "3"), call("b", "4")];
    await turn();
    expect(asked()).toEqual([
      ["a", "1", "2"],
      ["b", "4"],
    ]);
    for (const place of [0, 1, 2]) await answer(place);
    expect(await Promise.all(all)).toEqual(["1!", "2!", "3!", "4!"]);
    const again = call("a", "5");
    await turn();
    await answer(3);
    expect(await again).toBe("5!");
  });

  it("fails only the item that fails alone", async () => {
    const call = batchCalls<string, string>(
      (_group, items) => (items.includes("bad") ? Promise.reject(new Error("refused")) : Promise.resolve(items)),
      10,
    );
    const outcomes = await Promise.allSettled([call("a", "1"), call("a", "bad"), call("a", "2")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("rejects instead of waiting for a result that is missing", async () => {
    const call = batchCalls<string, string>(() => Promise.resolve([]), 10);
    await expect(call("a", "1")).rejects.toThrow("0 results for 1 calls");
  });
});
