import { describe, expect, test } from "vitest";
import { MOST_TOGETHER, NOTHING_SELECTED, select, selectAll, listSelectedRows, explainNotTogether } from "./selection";

type Row = Parameters<typeof explainNotTogether>[0][number];

const row = (id: string, change: Partial<Row> = {}): Row => ({
  id,
  status: "open",
  mine: true,
  reason: "approval_node",
  authority: "none",
  steered: false,
  signature: null,
  ...change,
});

const ROWS = ["a", "b", "c", "d"].map((id) => row(id));

describe("explainNotTogether", () => {
  test("allows two or more requests with the same authority", () => {
    expect(explainNotTogether(ROWS)).toBeNull();
    expect(explainNotTogether(ROWS.map((one) => ({ ...one, authority: "write" })))).toBeNull();
  });

  test.each<[string, readonly Row[], RegExp]>([
    ["fewer than two", [row("a")], /at least two/],
    ["too many requests", Array.from({ length: MOST_TOGETHER + 1 }, (_, n) => row(String(n))), /Select at most 50; 51/],
    ["a request that is already decided", [row("a"), row("b", { status: "approved" })], /Already decided: 1 selected request$/],
    ["a verdict", [row("a"), row("b", { reason: "review" })], /Verdicts are given one at a time/],
    ["an answer", [row("a"), row("b", { reason: "tool_input" })], /Answers are given one at a time/],
    [
      "requests that others decide",
      [row("a"), row("b", { mine: false }), row("c", { mine: false })],
      /You can't decide 2 selected requests/,
    ],
    ["requests with different authority", [row("a"), row("b", { authority: "write" })], /different authority/],
    [
      "requests of unknown authority",
      [row("a", { authority: null }), row("b", { authority: null })],
      /authority of some requests is unknown/,
    ],
    ["one request of unknown authority", [row("a"), row("b", { authority: null })], /authority of some requests is unknown/],
    [
      "irreversible requests",
      ["a", "b"].map((id) => row(id, { authority: "irreversible" })),
      /High-risk requests are decided one at a time/,
    ],
    ["protected requests", ["a", "b"].map((id) => row(id, { authority: "protected" })), /High-risk requests are decided one at a time/],
    ["a request steered by untrusted data", [row("a"), row("b", { steered: true })], /steers 1 selected request\./],
    ["a request whose steering is unknown", [row("a"), row("b", { steered: null })], /steers 1 selected request\./],
    ["a request that requires a passkey", [row("a"), row("b", { signature: "passkey" })], /passkey/],
  ])("rejects %s", (_what, rows, reason) => {
    expect(explainNotTogether(rows)).toMatch(reason);
  });
});

describe("selection", () => {
  test("toggles single rows and selects ranges", () => {
    const one = select(NOTHING_SELECTED, ROWS, "d", false);
    expect([...one.ids]).toEqual(["d"]);
    const range = select(one, ROWS, "b", true);
    expect(listSelectedRows(range, ROWS).map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect([...select(range, ROWS, "c", false).ids].toSorted()).toEqual(["b", "d"]);
  });

  test("skips decided rows, and selects or clears all at once", () => {
    const rows = [...ROWS.slice(0, 2), row("c", { status: "rejected" }), row("d")];
    const all = selectAll(NOTHING_SELECTED, rows);
    expect([...all.ids]).toEqual(["a", "b", "d"]);
    expect(select(select(NOTHING_SELECTED, rows, "a", false), rows, "d", true).ids).toEqual(new Set(["a", "b", "d"]));
    expect(selectAll(all, rows)).toEqual(NOTHING_SELECTED);
  });
});
