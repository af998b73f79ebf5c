import { expect, test } from "vitest";
import { parseInline, parseMarkdown } from "./markdown";

test("splits marked text, with escaped bars and code in link labels", () => {
  expect(parseInline("See [`a|b`](x.md#y), **bold** and snake_case_name.")).toEqual([
    { type: "text", text: "See " },
    { type: "link", href: "x.md#y", children: [{ type: "code", text: "a|b" }] },
    { type: "text", text: ", " },
    { type: "strong", text: "bold" },
    { type: "text", text: " and snake_case_name." },
  ]);
});

test("reads headings with GitHub's ids, code, tables and nested lists", () => {
  const text =
    "# A b: c\n\n```sh\n# no heading\n```\n\n| a | b |\n| --- | --- |\n| 1 | x \\| y |\n\n1. one\n\n   - inner\n\n2. two\n\nEnd.";
  const said = (value: string) => [{ type: "text", text: value }];
  expect(parseMarkdown(text)).toEqual([
    { type: "heading", level: 1, id: "a-b-c", content: said("A b: c") },
    { type: "code", text: "# no heading" },
    { type: "table", head: [said("a"), said("b")], rows: [[said("1"), said("x | y")]] },
    {
      type: "list",
      ordered: true,
      items: [
        { content: said("one"), blocks: [{ type: "list", ordered: false, items: [{ content: said("inner"), blocks: [] }] }] },
        { content: said("two"), blocks: [] },
      ],
    },
    { type: "paragraph", content: said("End.") },
  ]);
});

test("terminates on unclosed code and stray marks", () => {
  expect(parseMarkdown("```\nopen")).toEqual([{ type: "code", text: "open" }]);
  expect(parseMarkdown("  - indented\n|")).toHaveLength(2);
});
