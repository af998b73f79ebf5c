import { expect, type Locator } from "@playwright/test";
import { addNode, declareKey, drawEdge, edge, fit, createEmptyGraph, createInDialog, node, openPanel, typeEdge } from "./editor.ts";
import { status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const LAUNCH_FORM = '{"type":"object","properties":{"amount":{"type":"integer","title":"Amount"}},"required":["amount"]}';

const place = async (locator: Locator): Promise<{ x: number; y: number }> => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The node is not drawn.");

  return { x: Math.round(box.x), y: Math.round(box.y) };
};

test("a builder draws a graph, solves its problems, publishes it and runs it", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  await createInDialog(page, "Refund check");

  await test.step("memory, three nodes and their forms", async () => {
    await declareKey(page, "verdict", '{"type":"string"}');
    await declareKey(page, "amount", '{"type":"integer"}');
    await addNode(page, "Transform", "judge");
    await page.getByLabel("Expression 1").fill('memory.amount > 100 ? "large" : "small"');
    await addNode(page, "Router", "split");
    await addNode(page, "Transform", "refuse");
    await page.getByLabel("Expression 1").fill('"refused"');
    await node(page, /^Router split/).click();
    await addNode(page, "Transform", "accept");
    await page.getByLabel("Expression 1").fill('"accepted"');
  });

  await test.step("an invalid expression stays in its field and out of the graph", async () => {
    const field = page.getByLabel("Expression 1");
    await field.fill('"accepted" +');
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill('"accepted"');
    await expect(field).not.toHaveAttribute("aria-invalid", "true");
  });

  await test.step("edges: one drawn, two typed, with a condition and a default", async () => {
    await fit(page);
    await drawEdge(page, node(page, /^Transform judge/), node(page, /^Router split/));
    await expect(edge(page, "judge", "split")).toHaveCount(1);
    await typeEdge(page, node(page, /^Router split/), "refuse");
    await page.getByLabel("Condition").fill('memory.verdict == "large"');
    await typeEdge(page, node(page, /^Router split/), "accept");
    await page.getByLabel("Taken").click();
    await page.getByRole("option", { name: /^Default/ }).click();
    await expect(page.getByRole("group", { name: "Outgoing edges (first match wins)" })).toContainText('memory.verdict == "large"');
  });

  await test.step("errors block publishing and are listed", async () => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish a version" });
    await expect(dialog.getByText(/errors? blocks? publishing$/)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Publish" })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Escape");
  });

  await test.step("each problem links to its place and has a one-click fix", async () => {
    await openPanel(page, "Graph");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByLabel("Launch form (JSON Schema)").fill(LAUNCH_FORM);
    await openPanel(page, /^Problems/);
    await page.getByRole("button", { name: /amount without a grant for it/ }).click();
    await expect(page.getByLabel("Id", { exact: true })).toHaveValue("judge");
    await expect(page).toHaveURL(/node=judge/);
    await page.getByRole("button", { name: "Grant amount" }).click();
    await openPanel(page, /^Problems/);
    for (const fix of ["Let split read verdict", "Mark as end node", "Mark as end node"]) {
      await page.getByRole("button", { name: fix }).first().click();
    }
    await expect(page.getByText("No problems", { exact: true })).toBeVisible();
  });

  await test.step("the published version runs", async () => {
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Publish a version" });
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await expect(dialog.getByText("Published as version 1")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const launcher = page.getByRole("dialog", { name: "Start a run" });
    await launcher.getByLabel("Amount").fill("250");
    await launcher.getByLabel("Goal").fill("Judge one refund.");
    await launcher.getByRole("button", { name: "Start the run" }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await expect(status(page)).toContainText("Completed");
    await expect(page.getByRole("region", { name: /^State after record/ }).getByText("refused")).toBeVisible();
  });
});

test("a builder adds, moves, connects, deletes, undoes and redoes by keyboard", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "By keyboard");
  for (const kind of ["Transform", "Router"]) {
    await page.getByRole("button", { name: `Add ${kind}` }).focus();
    await page.keyboard.press("Enter");
  }
  const first = node(page, /^Transform transform/);
  await expect(node(page, /^Router router/)).toBeVisible();

  await test.step("Alt and the arrow keys move a node; undo and redo restore it", async () => {
    await first.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Id", { exact: true })).toHaveValue("transform");
    await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(first).toBeFocused();
    const before = await place(first);
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Alt+ArrowDown");
    const after = await place(first);
    expect(after.y).toBeGreaterThan(before.y);
    await page.keyboard.press("ControlOrMeta+z");
    await expect.poll(() => place(first)).toEqual(before);
    await page.keyboard.press("ControlOrMeta+y");
    await expect.poll(() => place(first)).toEqual(after);
  });

  await test.step("c connects, Delete removes the edge, undo restores it", async () => {
    await typeEdge(page, first, "rout");
    const way = edge(page, "transform", "router");
    await expect(page.getByLabel("Condition")).toBeVisible();
    await expect(way).toBeFocused();
    await page.keyboard.press("Delete");
    await expect(way).toHaveCount(0);
    await page.keyboard.press("ControlOrMeta+z");
    await expect(way).toHaveCount(1);
  });

  await test.step("one burst of typing is one step, and a field keeps its own undo", async () => {
    await first.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
    await page.keyboard.type("Weigh it");
    await expect(node(page, /^Transform Weigh it/)).toBeVisible();
    await node(page, /^Transform Weigh it/).focus();
    await page.keyboard.press("ControlOrMeta+z");
    await expect(first).toBeVisible();
  });

  await test.step("the shortcut sheet lists them", async () => {
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(sheet.getByText("Connect the focused node")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
  });
});

test("a reviewer reads a graph, and every disabled action says why", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/graphs");
  await expect(page.getByRole("button", { name: "New graph" })).toHaveAccessibleDescription("Needs builder; you are reviewer");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await expect(page.getByText("Read only: Needs builder; you are reviewer")).toBeVisible();
  for (const name of ["Add Transform", "Publish", "Run"]) {
    const button = page.getByRole("button", { name, exact: true });
    await expect(button, name).toHaveAttribute("aria-disabled", "true");
    await expect(button, name).toHaveAccessibleDescription("Needs builder; you are reviewer");
  }
  const start = node(page, /^Tool Read the mail/);
  await start.click();
  await expect(page.getByLabel("Title")).toBeDisabled();
  const before = await place(start);
  await start.focus();
  for (const key of ["Alt+ArrowDown", "c", "Delete", "Backspace"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await place(start)).toEqual(before);

  await test.step("shows a hostile node's reach and a problem's path", async () => {
    await start.click();
    await expect(page.getByRole("region", { name: "Blast radius" })).toContainText(
      /Before the first approval it could: write \d+ paths?, call \d+ tools?/,
    );
    await openPanel(page, /^Problems/);
    const way = page.getByRole("list", { name: "Data flow" }).first();
    await way.getByRole("button", { name: "Plan the change" }).first().click();
    await expect(page).toHaveURL(/node=plan/);
    await way.getByRole("button", { name: "change", exact: true }).click();
    await expect(page.getByRole("button", { name: /^change / })).toHaveAttribute("aria-expanded", "true");
  });
});
