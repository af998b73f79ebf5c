import { expect, type Locator, type Page } from "@playwright/test";
import { edge, createEmptyGraph, node } from "./editor.ts";
import { largeGraph } from "./large.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

const grid = (page: Page): Locator => page.getByRole("treegrid", { name: "Outline" });

const row = (page: Page, name: string | RegExp): Locator =>
  grid(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name }) });

/** A node's name, or an edge's condition and target. */
const readRows = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole("rowheader")
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.replaceAll(/\s+/g, " ").trim()));

const add = async (page: Page, kind: string): Promise<void> => {
  await page.keyboard.press("a");
  await expect(page.getByLabel("Find a kind")).toBeFocused();
  await page.keyboard.type(kind);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
};

const rename = async (page: Page, title: string): Promise<void> => {
  await page.keyboard.press("F2");
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(title);
  await page.keyboard.press("Escape");
  await expect(row(page, new RegExp(`^${title}`))).toBeFocused();
};

test("a graph is drawn in the outline alone: add, rename, connect, order, start, end, problems, delete", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Drawn in the outline");
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await expect(page).toHaveURL(/view=outline/);
  await expect(page.getByText("No nodes yet", { exact: true })).toBeVisible();

  await test.step("a adds a connected node and moves to it", async () => {
    await add(page, "router");
    await expect(row(page, /^router/)).toBeFocused();
    await rename(page, "Sort");
    await add(page, "approv");
    await rename(page, "Ask");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await expect(row(page, /^Sort/)).toBeFocused();
    await add(page, "router");
    await rename(page, "Drop");
    await expect
      .poll(() => readRows(page))
      .toEqual(["Sort router Start", "1 always to Ask", "2 always to Drop", "Ask approval End", "Drop router_2"]);
  });

  await test.step("c connects and moves to the edge; Enter opens its form, Escape returns", async () => {
    await row(page, /^Ask/).click();
    await page.keyboard.press("c");
    await expect(page.getByLabel("Find a node")).toBeFocused();
    await page.keyboard.type("dro");
    await page.keyboard.press("Enter");
    await expect(row(page, /^1 always to Drop/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("combobox", { name: "Taken" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(row(page, /^1 always to Drop/)).toBeFocused();
  });

  await test.step("Alt and the arrows reorder edges; Right follows one, Left returns", async () => {
    await row(page, /^2 always to Drop/).click();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(row(page, /^1 always to Drop/).first()).toBeFocused();
    await expect.poll(() => readRows(page).then((rows) => rows.slice(1, 3))).toEqual(["1 always to Drop", "2 always to Ask"]);
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => readRows(page).then((rows) => rows.slice(1, 3))).toEqual(["1 always to Ask", "2 always to Drop"]);
    await page.keyboard.press("ArrowRight");
    await expect(row(page, /^Drop/)).toBeFocused();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await expect(row(page, /^Sort/)).toHaveAttribute("aria-expanded", "false");
    await expect.poll(() => readRows(page)).toHaveLength(4);
    await page.keyboard.press("ArrowRight");
    await expect(row(page, /^Sort/)).toHaveAttribute("aria-expanded", "true");
  });

  await test.step("s sets the start, e an end; p shows the problems", async () => {
    await row(page, /^Drop/).click();
    await page.keyboard.press("e");
    await expect(row(page, /^Drop/)).toContainText("End");
    await page.keyboard.press("s");
    await expect(row(page, /^Drop/)).toContainText("Start");
    await page.keyboard.press("ControlOrMeta+z");
    await expect(row(page, /^Sort/)).toContainText("Start");
    await page.getByRole("checkbox", { name: "Only with problems" }).click();
    const wrong = grid(page)
      .getByRole("row")
      .filter({ hasText: /\d (?:error|warning)/ })
      .first();
    await wrong.click();
    await page.keyboard.press("p");
    await expect(page.getByRole("tab", { name: /^Problems/ })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tabpanel").locator("[data-problem] button:focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(wrong).toBeFocused();
    await page.getByRole("checkbox", { name: "Only with problems" }).click();
  });

  await test.step("a row's menu offers the same, and a node is inserted on an edge", async () => {
    await row(page, /^2 always to Drop/).click();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: /^Add a node here/ }).click();
    await expect(page.getByRole("dialog", { name: "Insert a node between router and router_2" })).toBeVisible();
    await expect(page.getByLabel("Find a kind")).toBeFocused();
    await page.keyboard.type("transform");
    await page.keyboard.press("Enter");
    await expect(row(page, /^transform/)).toBeFocused();
    await expect
      .poll(() => readRows(page).then((rows) => rows.slice(0, 3)))
      .toEqual(["Sort router Start", "1 always to Ask", "2 always to transform"]);
  });

  await test.step("Backspace deletes and reconnects, and the next row has focus", async () => {
    await page.keyboard.press("Backspace");
    await expect.poll(() => readRows(page).then((rows) => rows[2])).toBe("2 always to Drop");
    await expect(grid(page).getByRole("row").and(page.locator(":focus"))).toHaveCount(1);
  });

  await test.step("the canvas shows the same graph", async () => {
    await page.keyboard.press("o");
    await expect(node(page, /^Router Sort, start/)).toBeVisible();
    await expect(node(page, /^Approval Ask/)).toBeVisible();
    await expect(edge(page, "approval", "router_2")).toHaveCount(1);
  });
});

const COUNT = 500;

test("500 nodes: few rows are rendered, any is a key or a few letters away, and Tab stops once", async ({ page }) => {
  await signInAs(page, "builder");
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name: "Large outline" });
  await mutate(page, "graphs.save", { id, revision: 1, document: largeGraph(COUNT) });
  await page.goto(`/graphs/${id}?view=outline`);
  await expect(row(page, /^n0/)).toBeVisible();
  await expect(grid(page)).toHaveAttribute("aria-rowcount", String(2 * COUNT));
  expect(await grid(page).getByRole("row").count()).toBeLessThan(80);

  await page.getByRole("checkbox", { name: "Only with problems" }).focus();
  await page.keyboard.press("Tab");
  await expect(row(page, /^n0/)).toBeFocused();
  await page.keyboard.press("End");
  await expect(row(page, /^n499/)).toBeFocused();
  await expect(row(page, /^n499/)).toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(grid(page).locator(":focus")).toHaveCount(0);
  await page.keyboard.press("Shift+Tab");
  await expect(row(page, /^n499/)).toBeFocused();

  const find = page.getByRole("searchbox", { name: "Find in outline" });
  await find.fill("n321");
  await expect(page.getByText(`1 of ${COUNT} nodes`)).toBeVisible();
  await expect(row(page, /^n321/)).toBeVisible();
  await find.fill("no node has this name");
  await expect(page.getByText("No matching nodes", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show all nodes" }).click();
  await expect(page.getByText(`${COUNT} nodes`, { exact: true })).toBeVisible();
});

test("a reviewer reads the whole outline, and every disabled change says why", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  const first = row(page, /^Read the mail/);
  await first.click();
  await expect(first).toContainText("Start");
  await expect(page.getByLabel("Title", { exact: true })).toBeDisabled();
  const before = await readRows(page);
  await page.keyboard.press("Shift+F10");
  for (const name of [/^Rename/, /^Add a node here/, /^Start the run here/, /^Delete and reconnect/]) {
    await expect(page.getByRole("menuitem", { name })).toContainText("Needs builder; you are reviewer");
  }
  await page.keyboard.press("Escape");
  await expect(first).toBeFocused();
  for (const key of ["a", "Delete", "Backspace", "e"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await readRows(page)).toEqual(before);
});
