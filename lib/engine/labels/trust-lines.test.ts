import { describe, expect, test } from "vitest";
import { BUILT_IN, filterOfQuery, filterQuery, NO_FILTER, resolveTimes } from "@/lib/engine/labels/trust-filter";
import type { TrustEvent } from "@/lib/engine/labels/trust-event";
import { formatHead, formatLine } from "@/lib/engine/labels/trust-lines";

const EVENT: TrustEvent = {
  type: "taint_assigned",
  run: "00000000-0000-4000-8000-000000000002",
  seq: 4,
  index: 0,
  at: 1_800_000_000_000,
  principal: "node:fetch",
  node: "fetch",
  path: "mail",
  detail: { provenance: ["mcp:docs/read"] },
};

const cellsOf = (line: string): string[] =>
  [...line.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/gu)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );

describe("an exported event", () => {
  test("is a CSV line with the header's columns, and can be read back", () => {
    const head = cellsOf(formatHead("csv"));
    const cells = cellsOf(formatLine("csv", EVENT));
    expect(Object.fromEntries(head.map((name, index) => [name, cells[index]]))).toMatchObject({
      at: "2027-01-15T08:00:00.000Z",
      type: "taint_assigned",
      seq: "4",
      detail: JSON.stringify(EVENT.detail),
    });
  });

  test("is a JSONL line of the event", () => {
    expect(JSON.parse(formatLine("jsonl", EVENT))).toEqual(EVENT);
    expect(formatHead("jsonl")).toBe("");
  });

  test.each(["=cmd()", "+1", "-1", "@sum", "\tx", "\rx", '=a"b', "=a,b"])("is never a formula: a cell starting with %j is text", (path) => {
    const cells = cellsOf(formatLine("csv", { ...EVENT, path }));
    expect(cells[4]).toBe(`'${path}`);
  });

  test("is always a single line", () => {
    const line = formatLine("csv", { ...EVENT, path: 'a"b,c', node: "x,y" });
    expect(cellsOf(line).slice(3, 5)).toEqual(["x,y", 'a"b,c']);
    expect(cellsOf(line)).toHaveLength(9);
  });
});

describe("a filter", () => {
  const filter = { ...NO_FILTER, types: ["promotion", "opening"] as const, who: "token:", from: "2026-11-01", people: "none" as const };

  test("survives a round trip through the URL", () => {
    for (const each of [{ ...filter, types: [...filter.types] }, ...BUILT_IN.map((query) => query.filter), NO_FILTER]) {
      expect(filterOfQuery(new URLSearchParams(filterQuery(each)))).toEqual(each);
    }
  });

  test.each(["type=nothing", "within=year", "from=yesterday", "people=some", "who=%00"])("is rejected when unknown: %s", (query) => {
    expect(filterOfQuery(new URLSearchParams(query))).toBeNull();
  });

  test("uses the later of two starts, and whole days", () => {
    const now = Date.parse("2026-11-22T05:00:00Z");
    expect(resolveTimes({ ...NO_FILTER, within: "day", from: "2026-11-01", to: "2026-11-20" }, now)).toEqual({
      fromMs: Date.parse("2026-11-21T05:00:00Z"),
      toMs: Date.parse("2026-11-21T00:00:00Z"),
    });
    expect(resolveTimes(NO_FILTER, now)).toEqual({ fromMs: null, toMs: null });
  });
});
