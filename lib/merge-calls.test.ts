import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { mergeCalls } from "@/lib/merge-calls";

type Call = PromiseWithResolvers<string> & { readonly key: string };

const createWork = () => {
  const calls: Call[] = [];
  const merged = mergeCalls((key) => {
    const call = { ...Promise.withResolvers<string>(), key };
    calls.push(call);

    return call.promise;
  });

  return { calls, merged };
};

describe("mergeCalls", () => {
  it("gives a call during another the result of a later one", async () => {
    const { calls, merged } = createWork();
    const first = merged("a");
    await turn();
    const [second, third] = [merged("a"), merged("a")];
    expect(calls).toHaveLength(1);
    calls[0]?.resolve("old");
    expect(await first).toBe("old");
    await turn();
    calls[1]?.resolve("new");
    expect(await Promise.all([second, third])).toEqual(["new", "new"]);
    expect(calls).toHaveLength(2);
  });

  it("merges the calls of a turn", async () => {
    const { calls, merged } = createWork();
    const both = [merged("a"), merged("a")];
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]?.resolve("one");
    expect(await Promise.all(both)).toEqual(["one", "one"]);
  });

  it("starts at once for another key, and again when idle", async () => {
    const { calls, merged } = createWork();
    const both = [merged("a"), merged("b")];
    await turn();
    expect(calls.map(({ key }) => key)).toEqual(["a", "b"]);
    for (const call of calls) call.resolve(call.key);
    expect(await Promise.all(both)).toEqual(["a", "b"]);
    const again = merged("a");
    await turn();
    expect(calls).toHaveLength(3);
    calls[2]?.resolve("again");
    expect(await again).toBe("again");
  });

  it("fails all calls sharing one, and starts the next after it", async () => {
    const { calls, merged } = createWork();
    const shared = [merged("a"), merged("a")];
    await turn();
    const later = merged("a");
    calls[0]?.reject(new Error("gone"));
    const outcomes = await Promise.allSettled(shared);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await turn();
    calls[1]?.resolve("back");
    expect(await later).toBe("back");
  });
});
