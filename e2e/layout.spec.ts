import { expect, type Locator } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { startRun } from "./desk.ts";
import { signInAs } from "./people.ts";
import { SIZES } from "./sizes.ts";
import { test } from "./test.ts";

test("a page does not fetch ahead the pages that its navigation and its rows link to", async ({ page }) => {
  await signInAs(page, "admin");
  const ahead: string[] = [];
  page.on("request", (request) => {
    if (request.headers()["next-router-prefetch"] !== undefined) ahead.push(new URL(request.url()).pathname);
  });
  for (const list of ["Graphs", "Runs", "MCP servers"]) {
    await page.goto("/runs");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: list }).click();
    await expect(page.getByRole("heading", { level: 1, name: list })).toBeVisible();
    await expect(page.getByRole("table").getByRole("link").first()).toBeVisible();
  }
  expect(ahead.filter((path) => path !== "/runs/import")).toEqual([]);
});

test("on a phone the navigation is a drawer that keeps the focus and gives it back", async ({ page }) => {
  await signInAs(page, "builder");
  await page.setViewportSize(SIZES.phone);
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: "Main" });
  const opener = page.getByRole("button", { name: "Open navigation" });
  await expect(navigation).toBeHidden();

  await opener.click();
  await expect(navigation).toBeVisible();
  const drawer = page.getByRole("dialog", { name: "Navigation" });
  for (let stops = 0; stops < 30; stops += 1) {
    await page.keyboard.press("Tab");
    await expect(drawer.locator(":focus")).toHaveCount(1);
  }
  // On an entry without access, Escape closes its tooltip first.
  await drawer.getByRole("link", { name: "Home" }).focus();
  await page.keyboard.press("Escape");
  await expect(navigation).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await expectAccessible(page);
  await drawer.getByRole("link", { name: "Runs" }).click();
  await page.waitForURL("**/runs");
  await expect(navigation).toBeHidden();
});

test("on a phone a table is a list of cards that name their values", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/runs");
  const row = page.getByRole("table", { name: "Runs" }).getByRole("row").filter({ hasText: "Support desk" }).first();
  const labelOf = () => row.locator("td", { hasText: "Ben" }).evaluate((cell) => getComputedStyle(cell, "::before").content);
  await expect(row).toBeVisible();
  expect(await labelOf()).toBe("none");
  await page.setViewportSize(SIZES.phone);
  expect(await labelOf()).toBe('"Started by"');
  await expect(page.getByRole("columnheader", { name: "Started by" })).toBeHidden();
});

test("on a phone a run shows one of its panes", async ({ page }) => {
  await signInAs(page, "builder");
  await startRun(page, /^Scripted: honest/);
  await page.setViewportSize(SIZES.phone);
  const records = page.getByRole("region", { name: "Records" });
  const state = page.getByRole("region", { name: /^State after record/ });
  await expect(records).toBeVisible();
  await expect(state).toBeHidden();
  await page.getByRole("group", { name: "Panes" }).getByRole("button", { name: "State" }).click();
  await expect(state).toBeVisible();
  await expect(records).toBeHidden();
});

const rightOf = async (locator: Locator): Promise<number> => {
  const box = await locator.boundingBox();

  return Math.floor((box?.x ?? Infinity) + (box?.width ?? 0));
};

test("on a tablet the panels of the editor give way to the canvas, and the panel can be resized", async ({ page }) => {
  await signInAs(page, "builder");
  await page.setViewportSize(SIZES.tablet);
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  const palette = page.getByRole("region", { name: "Add a node" });
  const panel = page.getByRole("tabpanel", { name: "Inspector" });
  const canvas = page.getByRole("region", { name: "Canvas" });
  const last = page.getByRole("group", { name: /^Agent Draft the reply/ });
  await expect(last).toBeInViewport({ ratio: 0.99 });
  expect(await rightOf(last)).toBeLessThanOrEqual(await rightOf(canvas));
  await expect(panel).toBeHidden();
  await expect(palette).toBeHidden();
  await last.click();
  await expect(panel).toBeVisible();
  await expect.poll(async () => (await rightOf(last)) <= (await rightOf(canvas))).toBe(true);
  await page.getByRole("button", { name: "Toggle palette" }).click();
  await expect(palette).toBeVisible();

  const handle = page.getByRole("separator", { name: "Panel width" });
  const widthOf = async () => (await panel.boundingBox())?.width ?? 0;
  const before = await widthOf();
  await handle.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(widthOf).toBe(before + 24);

  await page.getByRole("button", { name: "Toggle panel" }).click();
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "Toggle panel" }).click();
  await expect(panel).toBeVisible();
  expect(await widthOf()).toBe(before + 24);
});
