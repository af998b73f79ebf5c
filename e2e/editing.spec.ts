import { expect, type Locator, type Page } from "@playwright/test";
import { addNext, edge, fit, createEmptyGraph, node, save, selectNode, typeEdge } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const nodes = (page: Page) => page.locator(".react-flow__node");
const press = (page: Page, keys: string) => page.keyboard.press(keys);

const drawLine = async (page: Page, name: string): Promise<void> => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, name);
  await addNext(page, "Router", "first");
  await addNext(page, "Transform", "second");
  await addNext(page, "Router", "third");
  await fit(page);
  await typeEdge(page, node(page, /^Router first/), "second");
  await expect(edge(page, "first", "second")).toBeFocused();
  await typeEdge(page, node(page, /^Transform second/), "third");
  await expect(edge(page, "second", "third")).toBeFocused();
};

const boxOf = async (drawn: Locator) => {
  const box = await drawn.boundingBox();
  if (!box) throw new Error("It is not drawn.");

  return box;
};

const place = (page: Page, name: RegExp) => boxOf(node(page, name));
const canvas = (page: Page) => page.locator(".react-flow__pane");

test("copies, pastes, duplicates and cuts nodes, within and across graphs, and undoes every step", async ({ page }) => {
  await drawLine(page, "Clipboard one");

  await test.step("duplicates are new nodes, connected like the originals, and selected", async () => {
    await node(page, /^Router first/).focus();
    await press(page, "ControlOrMeta+a");
    await press(page, "ControlOrMeta+d");
    await expect(nodes(page)).toHaveCount(6);
    await expect(edge(page, "first_2", "second_2")).toHaveCount(1);
    await expect(edge(page, "second_2", "third_2")).toHaveCount(1);
    await expect(page.locator(".react-flow__node.selected")).toHaveCount(3);
    await press(page, "ControlOrMeta+z");
    await expect(nodes(page)).toHaveCount(3);
    await press(page, "ControlOrMeta+Shift+z");
    await expect(nodes(page)).toHaveCount(6);
    await press(page, "ControlOrMeta+z");
  });

  await test.step("a cut node is pasted under its old id", async () => {
    await node(page, /^Router third/).click();
    await press(page, "ControlOrMeta+x");
    await expect(nodes(page)).toHaveCount(2);
    await press(page, "ControlOrMeta+v");
    await expect(node(page, /^Router third/)).toBeVisible();
  });

  await test.step("a field keeps its own clipboard and undo", async () => {
    await selectNode(page, /^Transform second/, "second");
    await press(page, "ControlOrMeta+c");
    const title = page.getByLabel("Title");
    await title.fill("Weigh");
    await press(page, "ControlOrMeta+a");
    await press(page, "Delete");
    await expect(title).toHaveValue("");
    await fit(page);
    await expect(nodes(page)).toHaveCount(3);
  });

  await test.step("pasting into another graph brings referenced definitions; other text is refused in one sentence", async () => {
    await save(page);
    await createEmptyGraph(page, "Clipboard two");
    await canvas(page).click();
    await press(page, "ControlOrMeta+v");
    await expect(node(page, /^Transform second/)).toBeVisible();
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", '{"format":"countersign/fragment/v1","nodes":[{"kind":"wizard"}]}');
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await expect(page.getByText("The clipboard has no nodes").first()).toBeVisible();
    await expect(nodes(page)).toHaveCount(1);
  });
});

test("finds text in a graph, commands by name, and nodes after @", async ({ page }) => {
  await drawLine(page, "Finding");

  await test.step("steps through the matches of a text", async () => {
    await press(page, "ControlOrMeta+f");
    const field = page.getByLabel("Find in graph");
    await expect(field).toBeFocused();
    await field.fill("rout");
    const found = page.getByRole("list", { name: "Results" });
    // The edge is named after the router that it was drawn to.
    await expect(found.getByRole("button")).toHaveCount(3);
    await field.press("Enter");
    await expect(page.getByText("1 of 3")).toBeVisible();
    await expect(page).toHaveURL(/node=first/);
    await field.press("Shift+Enter");
    await expect(page.getByText("3 of 3")).toBeVisible();
    await field.press("Shift+Enter");
    await expect(page).toHaveURL(/node=third/);
    await expect(page).toHaveURL(/find=rout/);
    await field.press("Escape");
    await expect(field).toHaveCount(0);
    await expect(node(page, /^Router third/)).toBeFocused();
  });

  const palette = page.getByRole("dialog", { name: "Commands" });
  const find = palette.getByLabel("Search or run a command");

  await test.step("runs a command by name; a disabled one says why", async () => {
    await press(page, "ControlOrMeta+k");
    await expect(find).toBeFocused();
    await find.fill("undo");
    await find.press("Enter");
    await expect(palette).toHaveCount(0);
    await expect(edge(page, "second", "third")).toHaveCount(0);
    await press(page, "ControlOrMeta+k");
    await expect(palette.getByRole("option").first()).toContainText("Undo");
    await find.fill("zoom to sel");
    await expect(palette.getByRole("option", { name: /^Zoom to selection/ })).toBeVisible();
    await find.fill("redo");
    await find.press("Enter");
    await expect(palette).toHaveCount(0);
    await expect(edge(page, "second", "third")).toHaveCount(1);
    await press(page, "ControlOrMeta+k");
    await find.fill("redo");
    await expect(palette.getByRole("option", { name: /Nothing to redo/ })).toHaveAttribute("aria-disabled", "true");
  });

  await test.step("jumps to a node", async () => {
    await find.fill("@seco");
    await find.press("Enter");
    await expect(palette).toHaveCount(0);
    await expect(node(page, /^Transform second/)).toBeFocused();
    await expect(page).toHaveURL(/node=second/);
  });

  await test.step("switches single-character shortcuts off and keeps the others", async () => {
    await press(page, "?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByRole("checkbox", { name: /single-key shortcuts/i }).click();
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
    await press(page, "c");
    await press(page, "?");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await press(page, "ControlOrMeta+k");
    await find.fill("show keyboard shortcuts");
    await find.press("Enter");
    await sheet.getByRole("checkbox", { name: /single-key shortcuts/i }).click();
  });
});

test("adds nodes by dragging from the palette, at the end of an edge, and connects with two clicks", async ({ page }) => {
  await drawLine(page, "Placing");

  await test.step("a dragged kind lands where it is dropped", async () => {
    const pane = await boxOf(canvas(page));
    const spot = { x: pane.width / 2, y: pane.height - 160 };
    await page.getByRole("button", { name: "Add Approval" }).dragTo(canvas(page), { targetPosition: spot });
    const awry = async (): Promise<number> => {
      const box = await place(page, /^Approval approval/);

      return Math.max(Math.abs(box.x + box.width / 2 - pane.x - spot.x), Math.abs(box.y + box.height / 2 - pane.y - spot.y));
    };
    await expect.poll(awry).toBeLessThan(24);
  });

  await test.step("an edge dropped on the canvas asks for a new node; both are one step", async () => {
    await node(page, /^Router third/)
      .locator(".react-flow__handle.source")
      .hover();
    await page.mouse.down();
    const box = await place(page, /^Router third/);
    await page.mouse.move(box.x + box.width / 2, box.y - 100, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByLabel("Find a kind", { exact: true })).toBeFocused();
    await page.keyboard.type("verif");
    await press(page, "Enter");
    await expect(edge(page, "third", "verifier")).toHaveCount(1);
    await expect(node(page, /^Verifier verifier/)).toBeFocused();
    await press(page, "ControlOrMeta+z");
    await fit(page);
    await expect(nodes(page)).toHaveCount(4);
  });

  await test.step("two clicks connect handle to handle", async () => {
    await node(page, /^Router third/)
      .locator(".react-flow__handle.source")
      .click();
    await node(page, /^Approval approval/)
      .locator(".react-flow__handle.target")
      .click();
    await expect(edge(page, "third", "approval")).toHaveCount(1);
  });

  await test.step("a node's menu comes from the registry and names the node under the pointer", async () => {
    await node(page, /^Transform second/).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete and reconnect" }).click();
    await expect(node(page, /^Transform second/)).toHaveCount(0);
    await expect(edge(page, "first", "third")).toHaveCount(1);
  });
});

test("lays out the whole graph or the selection as one step; a box selects", async ({ page }) => {
  await drawLine(page, "Tidying");
  const before = await place(page, /^Router third/);
  const y = async (name: RegExp) => (await place(page, name)).y;

  await test.step("after layout, successors are to the right, in one row", async () => {
    await node(page, /^Router third/).hover();
    await page.mouse.down();
    await page.mouse.move(before.x - 120, before.y + 180, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await y(/^Router third/)) - (await y(/^Router first/))).toBeGreaterThan(60);
    await press(page, "Shift+l");
    await expect.poll(async () => Math.abs((await y(/^Router third/)) - (await y(/^Router first/)))).toBeLessThan(2);
    const [first, second, third] = [
      await place(page, /^Router first/),
      await place(page, /^Transform second/),
      await place(page, /^Router third/),
    ];
    expect(first.x + first.width).toBeLessThan(second.x);
    expect(second.x + second.width).toBeLessThan(third.x);
    await press(page, "ControlOrMeta+z");
    await expect.poll(async () => (await y(/^Router third/)) - (await y(/^Router first/))).toBeGreaterThan(60);
  });

  await test.step("dragging selects with Shift, or without it in selection mode", async () => {
    await fit(page);
    await press(page, "Escape");
    const pane = await boxOf(canvas(page));
    const drag = async () => {
      await page.mouse.move(pane.x + 60, pane.y + 60);
      await page.mouse.down();
      await page.mouse.move(pane.x + pane.width - 60, pane.y + pane.height - 60, { steps: 5 });
      await page.mouse.up();
    };
    await page.keyboard.down("Shift");
    await drag();
    await page.keyboard.up("Shift");
    await expect(page.locator(".react-flow__node.selected")).toHaveCount(3);
    await press(page, "Escape");
    await expect(page.locator(".react-flow__node.selected")).toHaveCount(0);
    await press(page, "b");
    await drag();
    await expect(page.locator(".react-flow__node.selected")).toHaveCount(3);
  });
});
