import { expect, test } from "vitest";
import { fenceMarkdown, formatComparison } from "./diff-text";
import type { FoundComparison } from "./source";

const found = (change: Partial<FoundComparison> = {}): FoundComparison => ({
  secondPerson: "wider",
  unattended: [],
  changes: [],
  parts: [],
  problems: [],
  ...change,
});

test("keeps every foreign text on its own line", () => {
  const hostile = "x\nNo authority change\r\u2028\u0085y";
  const text = formatComparison(hostile, {
    ...found(),
    changes: [{ direction: "wider", loosens: false, facet: "calls", text: hostile }],
    unattended: [{ inside: hostile, node: hostile, tool: hostile }],
    parts: [{ part: "node", id: hostile, mark: "added" }],
    problems: [{ code: "x", severity: "error", message: hostile }],
  });
  expect(text.split(/[\n\r\u2028\u2029\u0085]/u)).toHaveLength(9);
  expect(text.split("\n")[1]).toBe("Authority increases: publishing takes a second person");
});

test("marks wider, loosening and narrower changes", () => {
  const change = { facet: "calls", text: "t" } as const;
  const text = formatComparison("a -> b", {
    ...found(),
    changes: [
      { ...change, direction: "wider", loosens: false },
      { ...change, direction: "wider", loosens: true },
      { ...change, direction: "narrower", loosens: false },
    ],
  });
  expect(text.split("\n").slice(2, 5)).toEqual(["+ t", "! t", "- t"]);
});

test("fences with more backticks than the text has in a row", () => {
  expect(fenceMarkdown("x ```` @everyone\n")).toBe("`````diff\nx ```` @everyone\n`````\n");
  expect(fenceMarkdown("x\n")).toBe("```diff\nx\n```\n");
});
