import { describe, expect, it } from "vitest";
import { createSemaphore } from "./semaphore";

const pieces = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();

    return { index, promise, resolve, reject };
  });

describe("a semaphore", () => {
  it("never exceeds its limit and keeps the order", async () => {
    const inTurn = createSemaphore(2);
    const begun: number[] = [];
    const work = pieces(5);
    const done = work.map(({ index, promise }) =>
      inTurn(() => {
        begun.push(index);

        return promise;
      }),
    );
    expect(begun).toEqual([0, 1]);
    work[1]?.resolve(1);
    await done[1];
    expect(begun).toEqual([0, 1, 2]);
    for (const { index, resolve } of work) resolve(index);
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3, 4]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it("continues after failed work, whose error reaches its caller", async () => {
    const inTurn = createSemaphore(1);
    const first = inTurn(() => Promise.reject(new Error("no")));
    const second = inTurn(async () => "yes");
    await expect(first).rejects.toThrow("no");
    expect(await second).toBe("yes");
    expect(await inTurn(async () => "again")).toBe("again");
  });
});
