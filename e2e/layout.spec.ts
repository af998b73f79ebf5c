import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible, inspect } from "./axe.ts";
import { openApproval, startRun } from "./desk.ts";
import { signInAs, type DemoRole } from "./people.ts";
import { SIZES, type Size } from "./sizes.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

// Axe takes seconds per page.
test.describe.configure({ timeout: 480_000 });

const ALL_SIZES: readonly Size[] = ["desktop", "tablet", "phone"];

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Resizes a loaded page, because loading costs more than axe. */
const inspectAt = async (page: Page, sizes: readonly Size[], title = / · Countersign$/): Promise<void> => {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    expect(await overflowOf(page), `${page.url()} scrolls sideways on a ${size}`).toBeLessThanOrEqual(0);
    await inspect(page, title);
  }
  await page.setViewportSize(SIZES.desktop);
};

type Place = { readonly path: string; readonly title?: RegExp; readonly shows?: RegExp };

const PLACES: readonly Place[] = [
  { path: "/", title: /^(\(\d+\) )?Home · Countersign$/, shows: /First steps/ },
  { path: "/graphs", title: /Graphs · Countersign$/, shows: /Support desk under attack/ },
  { path: "/runs", title: /Runs · Countersign$/, shows: /Support desk under attack/ },
  { path: "/runs/import" },
  { path: "/approvals", title: /Approvals · Countersign$/, shows: /Shall this change be written/ },
  { path: "/ledger" },
  { path: "/connect" },
  { path: "/connect/console" },
  { path: "/audit/trust" },
  { path: "/admin/mcp", title: /MCP servers · Countersign$/, shows: /customers/ },
  { path: "/admin/mcp/customers?tool=update_plan", title: /MCP server · Countersign$/, shows: /Our labels/ },
  { path: "/admin/models" },
  { path: "/admin/people" },
  { path: "/admin/webhooks" },
  { path: "/settings" },
  { path: "/help" },
];

const inspectPlaces = async (page: Page, sizesOf: (place: Place) => readonly Size[]): Promise<void> => {
  for (const place of PLACES) {
    await page.goto(place.path);
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    if (place.shows) await expect(page.getByText(place.shows).first()).toBeVisible();
    await inspectAt(page, sizesOf(place), place.title);
  }
};

test("every page of an admin passes axe at three widths in both themes, and none scrolls sideways", async ({ page }) => {
  await signInAs(page, "admin");
  await inspectPlaces(page, () => ALL_SIZES);
});

test("every page of a builder passes axe on a phone, busy ones also on a desktop, and none scrolls sideways", async ({ page }) => {
  await signInAs(page, "builder");
  await inspectPlaces(page, ({ shows }) => (shows ? ["desktop", "phone"] : ["phone"]));
});

for (const role of ["reviewer", "viewer"] as const satisfies readonly DemoRole[]) {
  test(`every page of a ${role} passes axe on a phone, and none scrolls sideways`, async ({ page }) => {
    await signInAs(page, role);
    await inspectPlaces(page, () => ["phone"]);
  });
}

test("the editor, a run, two runs compared and an approval pass axe at three widths in both themes", async ({ page }) => {
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: compromised/);
  await expect(page.getByText("write_not_granted").first()).toBeVisible();
  await inspectAt(page, ALL_SIZES);
  const { runs } = await query<{ runs: { id: string }[] }>(page, "runs.list", {});
  const other = runs.find(({ id }) => !run.endsWith(id));
  await page.goto(`${run}?compare=${other?.id}`);
  await expect(page.getByRole("region", { name: "Run B" })).toBeVisible();
  await inspectAt(page, ALL_SIZES);
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await expect(page.getByRole("group", { name: /^Tool Read the mail/ })).toBeVisible();
  await inspectAt(page, ALL_SIZES);
  await signInAs(page, "reviewer");
  await openApproval(page, run);
  await inspectAt(page, ALL_SIZES);
});

test("the pages without a session pass axe at three widths", async ({ page }) => {
  await page.goto("/sign-in");
  await inspectAt(page, ALL_SIZES);
});

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
