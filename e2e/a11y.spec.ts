import { expect, type Page } from "@playwright/test";
import { faultsOf, inspect } from "./axe.ts";
import { armByKey, openApproval, startRun } from "./desk.ts";
import { createEmptyGraph } from "./editor.ts";
import { largeGraph } from "./large.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

// Axe takes seconds per page. layout.spec scans pages as they load.
test.describe.configure({ timeout: 240_000 });

const inspectWithin = async (page: Page, title: RegExp): Promise<void> => {
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await inspect(page, title);
};

test("the graph editor passes with a node, with each panel and with its dialogs", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await page.getByRole("group", { name: /^Tool Read the mail/ }).click();
  await expect(page.getByRole("combobox", { name: "Effect", exact: true })).toBeVisible();
  await inspectWithin(page, /Graph · Countersign$/);
  for (const panel of [/^Problems/, "Memory", "Graph", "Versions"]) {
    await page.getByRole("tab", { name: panel }).click();
    await inspectWithin(page, /Graph · Countersign$/);
  }
  for (const dialog of ["Publish", "Run"]) {
    await page.getByRole("button", { name: dialog, exact: true }).click();
    await expect(page.getByRole("dialog").getByRole("button").last()).toBeVisible();
    expect(await faultsOf(page), dialog).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

test("the outline passes when empty, with problems, read-only, with its menu and dialogs; so does the empty canvas", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Looked at by axe");
  await page.getByRole("button", { name: "Add a node", exact: true }).click();
  await expect(page.getByRole("listbox", { name: "Kinds" })).toBeVisible();
  await page.keyboard.press("Escape");
  await inspectWithin(page, /Graph · Countersign$/);
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await expect(page.getByText("No nodes yet", { exact: true })).toBeVisible();
  await inspectWithin(page, /Graph · Countersign$/);
  await page.getByRole("button", { name: "Add a node", exact: true }).click();
  await expect(page.getByRole("listbox", { name: "Kinds" })).toBeVisible();
  expect(await faultsOf(page), "adding").toEqual([]);
  await page.keyboard.press("Enter");
  const outline = page.getByRole("treegrid", { name: "Outline" });
  await expect(outline.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("c");
  await expect(page.getByRole("listbox", { name: "Nodes" })).toBeVisible();
  expect(await faultsOf(page), "connecting").toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Condition")).toBeVisible();
  await expect(outline.getByText(/error/).first()).toBeVisible();
  await inspectWithin(page, /Graph · Countersign$/);
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  expect(await faultsOf(page), "the menu of a row").toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox", { name: "Find in outline" }).fill("no node has this name");
  await expect(page.getByText("No matching nodes", { exact: true })).toBeVisible();
  expect(await faultsOf(page), "nothing matches").toEqual([]);

  await signInAs(page, "reviewer");
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await outline.getByRole("row").nth(1).click();
  await inspectWithin(page, /Graph · Countersign$/);
});

test("a crowded graph passes: 500 nodes on the canvas and in the outline", async ({ page }) => {
  await signInAs(page, "builder");
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name: "Crowded" });
  await mutate(page, "graphs.save", { id, revision: 1, document: largeGraph(500) });
  await page.goto(`/graphs/${id}?node=n0`);
  await expect(page.getByRole("group", { name: /^Router / }).first()).toBeVisible();
  await inspectWithin(page, /Graph · Countersign$/);
  await page.keyboard.press("o");
  await expect(page.getByRole("treegrid", { name: "Outline" })).toBeVisible();
  await inspectWithin(page, /Graph · Countersign$/);
});

test("a verified run and an armed approval pass", async ({ page }) => {
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: compromised/);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("Ledger verified")).toBeVisible();
  expect(await faultsOf(page), "the verification").toEqual([]);

  await signInAs(page, "reviewer");
  await openApproval(page, run);
  await armByKey(page, "a");
  expect(await faultsOf(page), "armed").toEqual([]);
});
