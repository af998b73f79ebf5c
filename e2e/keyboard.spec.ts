/** Focus moves by keys or by the product only. */
import { expect, type Locator, type Page } from "@playwright/test";
import { decideByKeys, status } from "./desk.ts";
import { edge, node, savedRevision } from "./editor.ts";
import { goTo, hasKeyboard, openQueued, openTab, pressOn, signInByKeyboard, tabTo, typeInto } from "./keys.ts";
import { test } from "./test.ts";

const drawing = (page: Page): Locator => page.getByRole("application", { name: "Nodes and edges" });

const newGraph = async (page: Page, name: string): Promise<void> => {
  await goTo(page, "g", /\/graphs$/);
  await pressOn(page, page.getByRole("button", { name: "New graph" }));
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
};

const declareKey = async (page: Page, name: string, schema: string): Promise<void> => {
  await openTab(page, /^Memory/);
  await pressOn(page, page.getByRole("button", { name: "Declare a key" }));
  await typeInto(page, page.getByLabel("Name", { exact: true }), name);
  await page.keyboard.press("Enter");
  await pressOn(page, page.getByRole("button", { name: "Edit as JSON" }));
  await typeInto(page, page.getByLabel("JSON Schema", { exact: true }), schema);
};

/** The new node gets the focus. */
const addHere = async (page: Page, kind: string, drawn: RegExp): Promise<void> => {
  await page.keyboard.press("a");
  await expect(page.getByLabel("Find a kind")).toBeFocused();
  await page.keyboard.type(kind);
  await page.keyboard.press("Enter");
  await expect(node(page, drawn)).toBeFocused();
};

const openForm = async (page: Page): Promise<void> => {
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
};

test("a graph is built, published, run, approved and verified without a mouse", async ({ page, browser, baseURL }) => {
  await signInByKeyboard(page, "builder");
  await newGraph(page, "Without a mouse");

  await test.step("memory and three nodes, each connected to the one before", async () => {
    await declareKey(page, "verdict", '{"type":"string"}');
    await page.keyboard.press("Escape");
    await expect(drawing(page)).toBeFocused();
    await addHere(page, "transf", /^Transform transform/);
    await openForm(page);
    await page.keyboard.type("Judge it");
    await typeInto(page, page.getByLabel("Expression 1"), '"granted"');
    await page.keyboard.press("Escape");
    await expect(node(page, /^Transform Judge it/)).toBeFocused();

    await addHere(page, "approv", /^Approval approval/);
    await expect(edge(page, "transform", "approval")).toHaveCount(1);
    await openForm(page);
    await page.keyboard.type("Ask");
    await typeInto(page, page.getByLabel("Question for the reviewer"), "Shall the verdict stand?");
    await tabTo(page, page.getByRole("combobox", { name: "Shown to the reviewer", exact: true }));
    await page.keyboard.type("verdict");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(node(page, /^Approval Ask/)).toBeFocused();

    await addHere(page, "router", /^Router router/);
    await expect(node(page, /^Router router, end/)).toBeFocused();
  });

  await test.step("arrows walk along edges, w reaches an edge, and Alt moves the focused node", async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(node(page, /^Approval Ask/)).toBeFocused();
    await page.keyboard.press("Home");
    await expect(node(page, /^Transform Judge it/)).toBeFocused();
    await page.keyboard.press("w");
    await expect(edge(page, "transform", "approval")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    const ask = node(page, /^Approval Ask/);
    await expect(ask).toBeFocused();
    const before = await ask.boundingBox();
    await page.keyboard.press("Alt+Shift+ArrowDown");
    await expect.poll(() => ask.boundingBox().then((box) => box?.y)).toBeGreaterThan(before?.y ?? 0);
  });

  await test.step("problems are listed beside their node and solved by their fixes", async () => {
    await openTab(page, /^Problems/);
    const fix = page.getByRole("tabpanel").getByRole("button", { name: /^(Let|Grant) / });
    await expect(fix.or(page.getByText("No problems", { exact: true })).first()).toBeVisible();
    // A fix removes its own button.
    while ((await fix.count()) > 0) {
      const left = await fix.count();
      await openTab(page, /^Problems/);
      await pressOn(page, fix.first());
      await expect.poll(() => fix.count()).toBeLessThan(left);
    }
    await page.keyboard.press("ControlOrMeta+s");
    await savedRevision(page);
  });

  await test.step("published and started", async () => {
    await tabTo(page, page.getByRole("button", { name: "Publish", exact: true }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Publish a version" });
    // The preview must be read first.
    await expect(dialog.getByText("First version: you can publish it")).toBeVisible();
    await pressOn(page, dialog.getByRole("button", { name: "Publish", exact: true }));
    await expect(dialog.getByText("Published as version 1")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await pressOn(page, page.getByRole("button", { name: "Run", exact: true }));
    const launcher = page.getByRole("dialog", { name: "Start a run" });
    await typeInto(page, launcher.getByLabel("Goal"), "Judge it without a mouse.");
    await pressOn(page, launcher.getByRole("button", { name: /^Start/ }));
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await expect(status(page)).toContainText("Waiting");
  });

  await test.step("a second person, a reviewer, approves", async () => {
    const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    const other = await context.newPage();
    await signInByKeyboard(other, "reviewer");
    await goTo(other, "a", /\/approvals$/);
    await openQueued(other, other.getByRole("link", { name: /Shall the verdict stand/ }).first());
    await decideByKeys(other, "approve");
    await context.close();
  });

  await test.step("the run completes, and its ledger verifies in the browser", async () => {
    await expect(status(page)).toContainText("Completed");
    await pressOn(page, page.getByRole("button", { name: "Verify" }));
    await expect(page.getByText("Ledger verified")).toBeVisible();
  });
});

test("the canvas is one Tab stop and restores the last focus", async ({ page }) => {
  await signInByKeyboard(page, "builder");
  await goTo(page, "g", /\/graphs$/);
  await pressOn(page, page.getByRole("link", { name: /Support desk under attack/ }));
  const start = node(page, /^Tool Read the mail/);
  await expect(start).toBeVisible();
  await tabTo(page, start);
  await page.keyboard.press("ArrowRight");
  const second = drawing(page).locator(":focus");
  await expect(start).not.toBeFocused();
  const name = (await second.getAttribute("aria-label")) ?? "";
  await page.keyboard.press("Tab");
  expect(await hasKeyboard(drawing(page).locator(".react-flow__node, .react-flow__edge"))).toBe(false);
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("group", { name, exact: true })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  expect(await hasKeyboard(drawing(page).locator(".react-flow__node, .react-flow__edge"))).toBe(false);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("group", { name, exact: true })).toBeFocused();
  await page.keyboard.press("o");
  await expect(page.getByRole("treegrid", { name: "Outline" }).locator(":focus")).toHaveCount(1);
});
