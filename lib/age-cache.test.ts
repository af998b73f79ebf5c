import { expect, test } from "vitest";
import { createAgeCache } from "./age-cache";

test("reads a key again once its result is too old, and after a failure", async () => {
  let nowMs = 0;
  let reads = 0;
  const cache = createAgeCache<number>(100, { now: () => nowMs });
  const read = async () => (reads += 1);

  expect([await cache("a", read), await cache("a", read), await cache("b", read)]).toEqual([1, 1, 2]);
  nowMs = 99;
  expect(await cache("a", read)).toBe(1);
  nowMs = 100;
  expect(await cache("a", read)).toBe(3);
  await expect(cache("c", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await cache("c", read)).toBe(4);
});

test("keeps the thousand newest keys", async () => {
  let reads = 0;
  const cache = createAgeCache<number>(100, { now: () => 0 });
  const read = async () => (reads += 1);
  for (let key = 0; key <= 1_000; key += 1) await cache(String(key), read);

  expect(await cache("1000", read)).toBe(1_001);
  expect(await cache("0", read)).toBe(1_002);
});
