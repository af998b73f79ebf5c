import { expect, test } from "vitest";
import { createKeyedSemaphore } from "./keyed-semaphore";

const live = new AbortController().signal;

const workshop = (limit: number) => {
  const semaphore = createKeyedSemaphore(limit);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (key: string, name: string, signal = live): Promise<string> =>
    semaphore.run(key, signal, async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));

      return name;
    });

  return { start, began, end: (name: string) => ends.get(name)?.() };
};

test("limits concurrency, keeps the order, and separates keys", async () => {
  const { start, began, end } = workshop(2);
  const all = ["a", "b", "c", "d"].map((name) => start("one", name));
  const other = start("two", "x");
  await Promise.resolve();
  expect(began).toEqual(["a", "b", "x"]);

  end("b");
  expect(await all[1]).toBe("b");
  await Promise.resolve();
  expect(began).toEqual(["a", "b", "x", "c"]);
  for (const name of ["a", "c", "x"]) end(name);
  await Promise.all([all[0], all[2], other]);
  end("d");
  expect(await all[3]).toBe("d");
});

test("passes the place of failed work on, and skips abandoned callers", async () => {
  const semaphore = createKeyedSemaphore(1);
  const gone = new AbortController();
  const first = semaphore.run("key", live, () => Promise.reject(new Error("broken")));
  const second = semaphore.run("key", gone.signal, () => Promise.resolve("never"));
  const third = semaphore.run("key", live, () => Promise.resolve("third"));
  gone.abort(new Error("gone"));

  await expect(first).rejects.toThrow("broken");
  await expect(second).rejects.toThrow("gone");
  expect(await third).toBe("third");
});
