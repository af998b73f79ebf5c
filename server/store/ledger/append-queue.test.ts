import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { appendQueue } from "@/server/store/ledger/append-queue";

type Row = { readonly run: string; readonly text: string; readonly alone?: boolean };

const row = (text: string): Row => ({ run: text, text });

const LONG_MS = 20;

const QUEUE = {
  atOnce: 2,
  longMs: LONG_MS,
  charsOf: ({ text }: Row) => text.length,
  keyOf: ({ run }: Row) => run,
  follows: (before: Row, { alone }: Row) => !before.alone && !alone,
};

const textsOf = (series: readonly (readonly Row[])[]): string[] => series.flat().map(({ text }) => text);

const allWritten = (series: readonly (readonly Row[])[]): ReadonlyMap<number, string> =>
  new Map(series.map((rows, place) => [place, textsOf([rows]).join("+")]));

const heldStore = () => {
  const calls: { readonly series: readonly (readonly Row[])[]; readonly answer: () => void; readonly fail: (error: unknown) => void }[] =
    [];
  const store = (series: readonly (readonly Row[])[]): Promise<ReadonlyMap<number, string>> => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<number, string>>();
    calls.push({ series, answer: () => resolve(allWritten(series)), fail: reject });

    return promise;
  };

  return { calls, store, said: () => calls.map(({ series }) => textsOf(series)) };
};

const takesLong = (): void => void vi.advanceTimersByTime(LONG_MS);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const databaseSays = (code: string): pg.DatabaseError => Object.assign(new pg.DatabaseError("as the code says", 1, "error"), { code });

describe("the append queue", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("sends one turn's rows together, in order, when idle", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored = ["a", "b", "c"].map((text) => enqueue(row(text)));
    await turn();
    expect(said()).toEqual([["a", "b", "c"]]);
    calls[0]?.answer();
    expect(await Promise.all(stored)).toEqual(["a", "b", "c"]);
  });

  it("sends rows that arrived during a statement together after it", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored: Promise<string | null>[] = [];
    for (const text of ["a", "b", "c"]) {
      stored.push(enqueue(row(text)));
      await turn();
    }
    expect(said()).toEqual([["a"]]);
    calls[0]?.answer();
    await turn();
    expect(said()).toEqual([["a"], ["b", "c"]]);
    calls[1]?.answer();
    expect(await Promise.all(stored)).toEqual(["a", "b", "c"]);
  });

  it("sends waiting rows beside one long statement, but not beside two", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored: Promise<string | null>[] = [];
    for (const text of ["a", "b", "c", "d", "e"]) {
      stored.push(enqueue(row(text)));
      takesLong();
      await turn();
    }
    expect(said()).toEqual([["a"], ["b"]]);
    calls[1]?.answer();
    await turn();
    expect(said()).toEqual([["a"], ["b"], ["c", "d", "e"]]);
    for (const call of calls) call.answer();
    expect(await Promise.all(stored)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("returns to one statement at a time after a long one", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored = [enqueue(row("long"))];
    await turn();
    takesLong();
    for (const text of ["beside", "next"]) {
      stored.push(enqueue(row(text)));
      await turn();
    }
    calls[0]?.answer();
    await turn();
    expect(said()).toEqual([["long"], ["beside"]]);
    calls[1]?.answer();
    await turn();
    expect(said()).toEqual([["long"], ["beside"], ["next"]]);
    calls[2]?.answer();
    expect(await Promise.all(stored)).toEqual(["long", "beside", "next"]);
  });

  it("never has one key in two statements at once, and keeps its order", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored: Promise<string | null>[] = [];
    for (const text of ["1", "2", "3"]) {
      stored.push(enqueue({ run: "r", text }));
      await turn();
    }
    stored.push(enqueue(row("other")));
    takesLong();
    await turn();
    expect(said()).toEqual([["1"], ["other"]]);
    calls[1]?.answer();
    await turn();
    expect(said()).toHaveLength(2);
    calls[0]?.answer();
    await turn();
    expect(said()).toEqual([["1"], ["other"], ["2", "3"]]);
    calls[2]?.answer();
    expect(await Promise.all(stored)).toEqual(["1", "2+3", "2+3", "other"]);
  });

  it("gives a row that can't be combined its own statement", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const rows: Row[] = ["1", "2", "alone", "3", "4"].map((text) => ({ run: "r", text, alone: text === "alone" }));
    const stored = rows.map(enqueue);
    for (let place = 0; place < 3; place += 1) {
      await turn();
      calls[place]?.answer();
    }
    await Promise.all(stored);
    expect(said()).toEqual([["1", "2"], ["alone"], ["3", "4"]]);
  });

  it("returns null for unwritten rows, whatever happens to their neighbours", async () => {
    const enqueue = appendQueue<Row, string>(
      async (series) => new Map([...allWritten(series)].filter(([, text]) => !text.includes("moved"))),
      QUEUE,
    );
    const rows = [row("a"), { run: "m", text: "moved" }, { run: "m", text: "after" }, row("b")];
    expect(await Promise.all(rows.map(enqueue))).toEqual(["a", null, null, "b"]);
  });

  it("stores the neighbours and predecessors of a rejected row", async () => {
    const calls: string[][] = [];
    const enqueue = appendQueue<Row, string>(async (series) => {
      calls.push(textsOf(series));
      await turn();
      if (textsOf(series).includes("bad")) throw databaseSays("23505");

      return new Map([...allWritten(series)].filter(([, text]) => text !== "after"));
    }, QUEUE);
    const rows = [row("a"), ...["before", "bad", "after"].map((text) => ({ run: "r", text })), row("b")];
    const settled = await Promise.allSettled(rows.map(enqueue));
    expect(calls[0]).toHaveLength(5);
    // Its successors need it and so were not written.
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : "refused"))).toEqual(["a", "before", "refused", null, "b"]);
  });

  it.each([
    ["the connection is lost", new Error("Connection terminated unexpectedly")],
    ["the server goes down", databaseSays("57P01")],
  ])("never resends when %s: the outcome is unknown", async (_what, error) => {
    const seen: string[] = [];
    const enqueue = appendQueue<Row, string>(async (series) => {
      seen.push(...textsOf(series));
      await turn();
      throw error;
    }, QUEUE);
    const settled = await Promise.allSettled([row("a"), row("b"), { run: "c", text: "c" }, { run: "c", text: "d" }].map(enqueue));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    expect(seen).toEqual(["a", "b", "c", "d"]);
  });

  it("continues after a failure, also with the same key", async () => {
    let isBroken = true;
    const enqueue = appendQueue<Row, string>(async (series) => {
      if (isBroken) throw new Error("gone");

      return allWritten(series);
    }, QUEUE);
    await expect(Promise.all(["a", "b", "c", "d"].map((text) => enqueue(row(text))))).rejects.toThrow("gone");
    isBroken = false;
    expect(await enqueue(row("a"))).toBe("a");
  });

  it("does not delay small rows behind many large ones, of one key or several", async () => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const large = "x".repeat(3_000_000);
    const rows = [row("a"), { run: "one", text: large }, { run: "one", text: large }, { run: "two", text: large }, row("d")];
    const stored = rows.map(enqueue);
    for (let place = 0; place < 5; place += 1) {
      await turn();
      calls[place]?.answer();
    }
    await Promise.all(stored);
    expect(said().every((texts) => texts.filter((text) => text === large).length <= 1)).toBe(true);
    expect(said().flat()).toHaveLength(5);
  });

  it.each([
    ["of many keys", (n: number) => row(`r${n}`)],
    ["of one key", (n: number) => ({ run: "r", text: `${n}` })],
  ])("sends at most 256 rows %s per statement, and loses none", async (_what, rowOf) => {
    const { calls, store, said } = heldStore();
    const enqueue = appendQueue(store, QUEUE);
    const stored = Array.from({ length: 600 }, (_, n) => enqueue(rowOf(n)));
    for (let place = 0; place < 4; place += 1) {
      await turn();
      calls[place]?.answer();
    }
    expect(await Promise.all(stored)).not.toContain(null);
    expect(said().map(({ length }) => length)).toEqual([256, 256, 88]);
    expect(said().flat()).toEqual(Array.from({ length: 600 }, (_, n) => rowOf(n).text));
  });
});
