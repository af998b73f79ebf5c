import { describe, expect, test } from "vitest";
import { CLEAN } from "@/lib/graph/label";
import { toMemory } from "@/lib/engine/state";
import { ID_NAMES } from "@/components/runs/node-names";
import { toBatch, type TestRecord } from "@/components/runs/testing";
import { IN_REVIEW, toShown } from "@/components/values/visible-value";
import { makeFeed, type Feed, type RecordSource } from "./feed";
import { makeParser } from "./parser";
import { getFirstRange, getNextRange, PAGE } from "./ranges";

const TOTAL = PAGE * 3 + 10;
const records = Array.from({ length: TOTAL }, (_, seq): TestRecord => ({ writes: [{ path: "value", value: seq, label: CLEAN }] }));
const whole = toBatch(records);

const source = (known: () => number, fails: () => boolean = () => false) => {
  const asked: number[] = [];
  const pages: RecordSource = {
    page: async (from, count) => {
      asked.push(from);
      if (fails()) throw new Error("not now");
      const to = Math.min(from + count, known());

      return {
        records: whole.records.slice(from, to),
        cells: whole.cells.filter(({ seq }) => seq >= from && seq < to),
        head: { version: known() },
      };
    },
  };

  return { asked, pages };
};

const feedOf = (pages: RecordSource, total: number, want: number): Feed =>
  makeFeed({ source: pages, parser: makeParser(null), names: ID_NAMES, total, want });

const until = (feed: Feed, holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const stop = feed.subscribe(look);
    look();
  });

describe("the records of a run", () => {
  test("shows records that came with the page at once, and does not request them again on their own", async () => {
    const { asked, pages } = source(() => TOTAL);
    const { from, count } = getFirstRange(TOTAL - 1, TOTAL);
    const first = await pages.page(from, count, new AbortController().signal);
    const feed = makeFeed({ source: pages, parser: makeParser(null), names: ID_NAMES, total: TOTAL, want: TOTAL - 1, first });
    expect(feed.state().rows.flatMap((row) => row?.seq ?? [])).toEqual(first.records.map(({ seq }) => seq));
    const stop = feed.start();
    await until(feed, () => feed.state().reach === TOTAL);
    stop();

    expect(asked.filter((seq) => seq === from)).toHaveLength(1);
    expect(feed.state().rows.map((row) => row?.seq)).toEqual(records.map((_, seq) => seq));
  });

  test("loads the selected records first and all of them in order", async () => {
    const { asked, pages } = source(() => TOTAL);
    const feed = feedOf(pages, TOTAL, PAGE * 2 + 60);
    const stop = feed.start();
    await until(feed, () => feed.state().reach === TOTAL);
    stop();

    expect(asked).toEqual([PAGE * 2 + 20, PAGE * 2, PAGE, 0, PAGE * 3]);
    expect(feed.state().rows.map((row) => row?.seq)).toEqual(records.map((_, seq) => seq));
    expect(toMemory(feed.state().timeline.stateAt(PAGE + 7).cells)).toEqual({ value: PAGE + 7 });
  });

  test("appends new records without requesting loaded ones again", async () => {
    let known = 30;
    const { asked, pages } = source(() => known);
    const feed = feedOf(pages, known, 0);
    const stop = feed.start();
    await until(feed, () => feed.state().reach === 30);
    const before = feed.state().entries[3];
    known = 40;
    feed.grow(40);
    await until(feed, () => feed.state().reach === 40);
    stop();

    expect(asked).toEqual([0, 30]);
    expect(feed.state().entries[3]).toBe(before);
  });

  test("keeps records and reports the error while loading fails", async () => {
    let [isDown, known] = [false, 20];
    const { pages } = source(
      () => known,
      () => isDown,
    );
    const feed = feedOf(pages, 20, 0);
    const stop = feed.start();
    await until(feed, () => feed.state().reach === 20);
    isDown = true;
    known = 21;
    feed.grow(21);
    await until(feed, () => feed.state().error !== null);
    expect(feed.state().rows).toHaveLength(20);
    isDown = false;
    await until(feed, () => feed.state().rows.length === 21);
    stop();

    expect(feed.state().rows).toHaveLength(21);
  });
});

test("the next range is the missing part of a page that is not being loaded", () => {
  const has = (seq: number) => seq < 5;

  expect(getNextRange({ has, total: 20, want: 0, isBusy: () => false })).toEqual({ from: 5, count: 15 });
  expect(getNextRange({ has, total: 20, want: 0, isBusy: () => true })).toBeNull();
  expect(getNextRange({ has: () => true, total: 20, want: 0, isBusy: () => false })).toBeNull();
  expect(getNextRange({ has, total: 0, want: 9, isBusy: () => false })).toBeNull();
});

describe("values under review", () => {
  const CASE = "00000000-0000-4000-8000-00000000000c";
  const reviewed = toBatch([
    { writes: [{ path: "draft", value: "text", label: CLEAN }] },
    { writes: [{ path: "note", value: "other", label: CLEAN }] },
    { control: [{ type: "case_closed", case_id: CASE, outcome: "passed" }] },
    {},
  ]);
  const server = () => {
    const asked: number[] = [];
    let known = 2;
    const pages: RecordSource = {
      page: async (from, count) => {
        asked.push(from);
        const to = Math.min(from + count, known);
        const isOpen = known <= 2;

        return {
          records: reviewed.records.slice(from, to),
          cells: reviewed.cells
            .filter(({ seq }) => seq >= from && seq < to)
            .map((cell) => (isOpen && cell.path === "draft" ? { ...cell, opened: null, withheld: "review" } : cell)),
          head: { version: known },
        };
      },
    };

    return { asked, pages, end: () => (known = 4) };
  };

  test("are marked, and are requested again after the case is closed", async () => {
    const { asked, pages, end } = server();
    const feed = feedOf(pages, 2, 0);
    const stop = feed.start();
    await until(feed, () => feed.state().reach === 2);
    const before = feed.state().timeline.stateAt(1).cells;
    expect(before.map(toShown)).toEqual([IN_REVIEW, { kind: "value", value: "other" }]);
    end();
    feed.grow(4);
    await until(
      feed,
      () =>
        feed.state().reach === 4 &&
        feed
          .state()
          .timeline.stateAt(1)
          .cells.every(({ content }) => content.known),
    );
    stop();

    expect(feed.state().timeline.stateAt(0).cells.map(toShown)).toEqual([{ kind: "value", value: "text" }]);
    expect(asked).toEqual([0, 2, 0]);
  });

  test("read before the case was closed are requested again when they arrive after it", async () => {
    const { asked, pages, end } = server();
    const stale = await pages.page(0, 2, new AbortController().signal);
    end();
    let isFirst = true;
    const feed = feedOf(
      {
        page: async (from, count, signal) => {
          if (from > 0 || !isFirst) return pages.page(from, count, signal);
          isFirst = false;

          return stale;
        },
      },
      4,
      3,
    );
    const stop = feed.start();
    await until(
      feed,
      () =>
        feed.state().reach === 4 &&
        feed
          .state()
          .timeline.stateAt(3)
          .cells.every(({ content }) => content.known),
    );
    stop();
    expect(asked.length).toBeGreaterThan(1);
  });
});
