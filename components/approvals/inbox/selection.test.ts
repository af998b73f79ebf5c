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
    ["more than anybody reads", Array.from({ length: MOST_TOGETHER + 1 }, (_, n) => row(String(n))), /At most 50 at a time; 51/],
    ["one that was decided meanwhile", [row("a"), row("b", { status: "approved" })], /Decided already: one of them/],
    ["a verdict", [row("a"), row("b", { reason: "review" })], /verdict is given by itself/],
    ["an answer", [row("a"), row("b", { reason: "tool_input" })], /answer is given by itself/],
    ["what somebody else decides", [row("a"), row("b", { mine: false }), row("c", { mine: false })], /Not yours to decide: 2 of them/],
    ["what hands out other things", [row("a"), row("b", { authority: "write" })], /not all hand out the same/],
    ["what nobody knows the class of", [row("a", { authority: null }), row("b", { authority: null })], /not known/],
    ["one of which nobody knows the class", [row("a"), row("b", { authority: null })], /not known/],
    ["what cannot be undone", ["a", "b"].map((id) => row(id, { authority: "irreversible" })), /High risk is decided one by one/],
    ["what is protected", ["a", "b"].map((id) => row(id, { authority: "protected" })), /High risk is decided one by one/],
    ["what untrusted data steers", [row("a"), row("b", { steered: true })], /steers one of them/],
    ["what nobody looked at for that", [row("a"), row("b", { steered: null })], /steers one of them/],
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
