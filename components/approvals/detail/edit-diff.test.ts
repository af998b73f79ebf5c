import { expect, test } from "vitest";
import { editRows } from "./edit-diff";

test("lists changed fields only", () => {
  const rows = editRows({ kind: "arguments", value: { to: ["a"], cents: 5, note: "x" } }, { arguments: { to: ["a", "b"], cents: 6 } });

  expect(rows.map(({ place, op }) => [place, op])).toEqual([
    ["to[1]", "add"],
    ["cents", "replace"],
    ["note", "remove"],
  ]);
});

test("prefixes memory changes with their path", () => {
  const rows = editRows(
    {
      kind: "updates",
      value: [
        { path: "plan", value: "a" },
        { path: "card", value: { no: 1 } },
      ],
    },
    {
      updates: [
        { path: "plan", value: "a" },
        { path: "card", value: { no: 2 } },
      ],
    },
  );

  expect(rows).toMatchObject([{ place: "card.no", op: "replace", before: { value: 1 }, after: { value: 2 } }]);
});
