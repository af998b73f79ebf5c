import { expect, test } from "vitest";
import { AppError } from "@/lib/errors";
import { collectWebMetrics } from "@/server/metrics";
import { openWhile } from "./open-while";

const EVERY_MS = 20;
const gone = new AppError("unauthenticated");
const never = new Promise<never>(() => undefined);

async function* counting() {
  for (let number = 1; ; number += 1) yield number;
}

const take = async (stream: AsyncIterable<unknown>, most: number): Promise<unknown[]> => {
  const items: unknown[] = [];
  for await (const item of stream) {
    items.push(item);
    if (items.length === most) break;
  }

  return items;
};

test("forwards a stream and ends with it", async () => {
  expect(
    await take(
      openWhile(counting(), async () => null, EVERY_MS),
      3,
    ),
  ).toEqual([1, 2, 3]);
});

test("forwards nothing after the caller signed out", async () => {
  const seen: unknown[] = [];
  let left = 2;
  const watching = async () => {
    for await (const item of openWhile(counting(), async () => ((left -= 1) >= 0 ? null : gone), EVERY_MS)) seen.push(item);
  };

  await expect(watching()).rejects.toMatchObject({ code: "unauthenticated" });
  expect(seen).toEqual([1, 2]);
});

test("ends an idle stream and notifies it", async () => {
  const told: string[] = [];
  const silent: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => never,
      return: async () => {
        told.push("over");

        return { done: true, value: undefined };
      },
    }),
  };
  let asked = 0;
  const objection = async () => ((asked += 1) < 3 ? null : gone);

  await expect(take(openWhile(silent, objection, EVERY_MS), 1)).rejects.toMatchObject({ code: "unauthenticated" });
  expect([asked, told]).toEqual([3, ["over"]]);
});

test("forwards errors, and returns non-streams unchanged", async () => {
  async function* failing() {
    yield 1;
    throw new Error("broken");
  }
  await expect(
    take(
      openWhile(failing(), async () => null, EVERY_MS),
      2,
    ),
  ).rejects.toThrow("broken");
  expect(openWhile({ rows: [] }, async () => gone, EVERY_MS)).toEqual({ rows: [] });
});

test("counts an answer while open, however it ends", async () => {
  const open = async () => /^countersign_open_streams (\d+)$/m.exec((await collectWebMetrics()).text)?.[1];
  const first = openWhile(counting(), async () => null, EVERY_MS)[Symbol.asyncIterator]();
  expect(await open()).toBe("0");
  await first.next();
  expect(await open()).toBe("1");
  const refused = openWhile(counting(), async () => gone, EVERY_MS)[Symbol.asyncIterator]();
  await expect(refused.next()).rejects.toBe(gone);
  expect(await open()).toBe("1");
  await first.return?.(undefined);
  expect(await open()).toBe("0");
});
