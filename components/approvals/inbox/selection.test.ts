import { describe, expect, test } from "vitest";
import { MOST_TOGETHER, NOTHING_SELECTED, select, selectAll, selectedRows, whyNotTogether } from "./selection";

type Row = Parameters<typeof whyNotTogether>[0][number];

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

describe("deciding together", () => {
  test("is for two or more that hand out the same", () => {
    expect(whyNotTogether(ROWS)).toBeNull();
    expect(whyNotTogether(ROWS.map((one) => ({ ...one, authority: "write" })))).toBeNull();
  });

  test.each<[string, readonly Row[], RegExp]>([
    ["fewer than two", [row("a")], /at least two/],
    ["more than anybody reads", Array.from({ length: MOST_TOGETHER + 1 }, (_, n) => row(String(n))), /Select at most 50; 51/],
    ["one that was decided meanwhile", [row("a"), row("b", { status: "approved" })], /Already decided: 1 selected request$/],
    ["a verdict", [row("a"), row("b", { reason: "review" })], /Verdicts are given one at a time/],
    ["an answer", [row("a"), row("b", { reason: "tool_input" })], /Answers are given one at a time/],
    [
      "what somebody else decides",
      [row("a"), row("b", { mine: false }), row("c", { mine: false })],
      /You can't decide 2 selected requests/,
    ],
    ["what hands out other things", [row("a"), row("b", { authority: "write" })], /different authority/],
    [
      "what nobody knows the class of",
      [row("a", { authority: null }), row("b", { authority: null })],
      /authority of some requests is unknown/,
    ],
    ["one of which nobody knows the class", [row("a"), row("b", { authority: null })], /authority of some requests is unknown/],
    [
      "what cannot be undone",
      ["a", "b"].map((id) => row(id, { authority: "irreversible" })),
      /High-risk requests are decided one at a time/,
    ],
    ["what is protected", ["a", "b"].map((id) => row(id, { authority: "protected" })), /High-risk requests are decided one at a time/],
    ["what untrusted data steers", [row("a"), row("b", { steered: true })], /steers 1 selected request\./],
    ["what nobody looked at for that", [row("a"), row("b", { steered: null })], /steers 1 selected request\./],
    ["what needs a passkey", [row("a"), row("b", { signature: "passkey" })], /passkey/],
  ])("is not for %s", (_what, rows, reason) => {
    expect(whyNotTogether(rows)).toMatch(reason);
  });
});

describe("a selection", () => {
  test("takes one, leaves it again, and reaches from the last one to the next", () => {
    const one = select(NOTHING_SELECTED, ROWS, "d", false);
    expect([...one.ids]).toEqual(["d"]);
    const range = select(one, ROWS, "b", true);
    expect(selectedRows(range, ROWS).map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect([...select(range, ROWS, "c", false).ids].toSorted()).toEqual(["b", "d"]);
  });

  test("leaves out what was decided, and all of it is taken and left as one", () => {
    const rows = [...ROWS.slice(0, 2), row("c", { status: "rejected" }), row("d")];
    const all = selectAll(NOTHING_SELECTED, rows);
    expect([...all.ids]).toEqual(["a", "b", "d"]);
    expect(select(select(NOTHING_SELECTED, rows, "a", false), rows, "d", true).ids).toEqual(new Set(["a", "b", "d"]));
    expect(selectAll(all, rows)).toEqual(NOTHING_SELECTED);
  });
});
