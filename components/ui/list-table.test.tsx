import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ListTable, timeColumn, type Column } from "./list-table";

type Fruit = { readonly name: string; readonly weightGrams: number; readonly pickedAt: number | null };

const COLUMNS: readonly Column<Fruit>[] = [
  { name: "Fruit", hover: ({ name }) => `a ${name}`, cell: ({ name }) => name },
  { name: "Weight", numeric: true, cell: ({ weightGrams }) => `${weightGrams} g` },
  timeColumn("Picked", ({ pickedAt }) => pickedAt, "not yet"),
];

const QUINCE: Fruit = { name: "quince", weightGrams: 300, pickedAt: null };

const shown = (rows: readonly Fruit[], renderActions?: (fruit: Fruit) => string): string =>
  renderToStaticMarkup(
    <ListTable
      label="Fruits"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ name }) => name}
      empty={<p>No fruit yet</p>}
      {...(renderActions ? { renderActions } : {})}
    />,
  );

const textsOf = (html: string, tag: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "gu"))].map(([, inner = ""]) => inner.replaceAll(/<[^>]+>/gu, ""));

test("shows what would be listed instead of an empty table", () => {
  expect(shown([])).toBe("<p>No fruit yet</p>");
});

test("has a header per column and a cell per column and row", () => {
  const html = shown([QUINCE, { name: "medlar", weightGrams: 20, pickedAt: null }]);

  expect(html).toContain('aria-label="Fruits"');
  expect(textsOf(html, "th")).toEqual(["Fruit", "Weight", "Picked"]);
  expect(textsOf(html, "td")).toEqual(["quince", "300 g", "not yet", "medlar", "20 g", "not yet"]);
  expect(html).toContain('title="a quince"');
});

test("names the column of actions for screen readers only", () => {
  const html = shown([QUINCE], ({ name }) => `Eat ${name}`);

  expect(textsOf(html, "th").at(-1)).toBe("Actions");
  expect(textsOf(html, "td").at(-1)).toBe("Eat quince");
});
