import { describe, expect, test } from "vitest";
import { CLEAN, type Label } from "@/lib/graph/label";
import type { RunEvent } from "@/lib/engine/event";
import { parseEntries } from "@/components/runs/entries";
import { summarizeAll } from "@/components/runs/record-summary";
import { toBatch, type TestRecord } from "@/components/runs/testing";
import { makeTimeline } from "@/components/runs/timeline";
import { filterCounts, filterOf, findNext, listShownBy, formatFilter, touches } from "./filters";
import { listChanges, getPinnedAt } from "./pins";
import { closeArea, drawCost, drawLane, formatLine } from "./strip-drawing";
import { withTimeline } from "./use-timeline-address";

const UNTRUSTED: Label = { integrity: "untrusted", confidentiality: "internal", provenance: ["mcp:a/b"] };
const write = (path: string, value: number, label = CLEAN) => ({ path, value, label });
const settled: RunEvent = { type: "effect_settled", effect_id: "00000000-0000-4000-8000-000000000099", outcome: "ok", simulated: false };

const RECORDS: readonly TestRecord[] = [
  { writes: [write("plan", 1)], node: "fetch" },
  { writes: [write("$result.x", 1, UNTRUSTED)], control: [settled], node: "fetch" },
  { writes: [write("mail.text", 2, UNTRUSTED)], node: "fetch" },
  { refusal: { code: "write_not_granted", ids: [], legal: [] }, writes: [write("$attempt", 1)], node: "parse" },
  { writes: [write("mail", 3)], node: "parse" },
];
const entries = parseEntries(toBatch(RECORDS));
const rows = summarizeAll(entries);
const timeline = makeTimeline(entries);

describe("filters", () => {
  test.each(["refusals", "taint", "path:mail.text", "node:fetch", "actor:engine"])(
    "%s is the same filter out of the address again",
    (text) => {
      const filter = filterOf(text);

      expect(filter && formatFilter(filter)).toBe(text);
    },
  );

  test("show all records if they are invalid", () => {
    expect([filterOf("nothing"), filterOf("node:"), filterOf("")]).toEqual([null, null, null]);
  });

  test("match as many records as they count", () => {
    const shown = (text: string) => {
      const filter = filterOf(text);

      return filter && listShownBy(rows, filter);
    };
    expect(shown("refusals")).toEqual([3]);
    expect(shown("effects")).toEqual([1]);
    expect(shown("taint")).toEqual([1]);
    expect(shown("node:fetch")).toEqual([0, 1, 2]);
    expect(shown("path:mail")).toEqual([2, 4]);
    const counts = filterCounts([...rows, undefined]);
    expect(counts.plain).toMatchObject({ refusals: 1, effects: 1, taint: 1 });
    expect(counts.nodes.get("fetch")).toBe(3);
  });

  test("find the next and previous match, and none beyond the last", () => {
    expect([findNext([2, 5], 2, 1), findNext([2, 5], 5, -1), findNext([2, 5], 5, 1), findNext([], 0, -1)]).toEqual([5, 2, null, null]);
  });

  test("match writes above and below a path, but not beside it or in another memory", () => {
    expect([
      touches("mail", "mail.text"),
      touches("mail.text", "mail"),
      touches("mail.from", "mail.text"),
      touches("@3/mail", "mail"),
    ]).toEqual([true, true, false, false]);
  });
});

describe("a pinned path", () => {
  test("has the current value, the last writer and the changes", () => {
    const changes = listChanges(timeline.tracks.writes, "mail.text");

    expect(changes).toEqual([2, 4]);
    expect(getPinnedAt("mail.text", changes, timeline.stateAt(3), 3)).toEqual({
      path: "mail.text",
      shown: { kind: "value", value: 2 },
      writtenAt: 2,
      previous: 2,
      next: 4,
    });
    expect(getPinnedAt("mail.text", changes, timeline.stateAt(1), 1)).toMatchObject({
      shown: { kind: "absent" },
      writtenAt: null,
      next: 2,
    });
  });
});

describe("the strip", () => {
  test("shows the taint after each record and where it was introduced", () => {
    expect(timeline.tracks.tainted).toEqual([0, 0, 1, 1, 0]);
    expect(drawLane(rows, "tainted", rows.length).count).toBe(1);
    expect(drawLane(rows, "refusal", rows.length).count).toBe(1);
  });

  test("draws loaded records only", () => {
    expect(formatLine([], 10, 1)).toBe("");
    expect(closeArea("")).toBe("");
    expect(formatLine([0, 1], 4, 1)).toMatch(/^M0 98H180V2H181$/u);
  });

  test("shows a budget only if the cost line is not flattened by it", () => {
    const tracks = { ...timeline.tracks, costMicroUsd: [0, 50, 90] };

    expect(drawCost(tracks, 3, 100).budgetAt).not.toBeNull();
    expect(drawCost(tracks, 3, 1_000_000).budgetAt).toBeNull();
    expect(drawCost(tracks, 3, null).budgetAt).toBeNull();
  });
});

describe("a link", () => {
  const shown = { view: "diff" as const, show: "refusals", pin: ["request"], t: 7 };

  test("adds the current view to the URL and keeps other parameters", () => {
    const link = new URL(withTimeline("https://desk.example/runs/1?path=request&show=gates&t=3#log", shown));

    expect(Object.fromEntries(link.searchParams)).toEqual({ path: "request", view: "diff", show: "refusals", pin: "request", t: "7" });
    expect(link.pathname + link.hash).toBe("/runs/1#log");
  });

  test("drops parameters that no longer apply", () => {
    const plain = { view: "both" as const, show: null, pin: [], t: 0 };

    expect(withTimeline("https://desk.example/runs/1?view=diff&show=gates&pin=a&t=3", plain)).toBe("https://desk.example/runs/1?t=0");
  });
});
