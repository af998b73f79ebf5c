import { expect, type Page } from "@playwright/test";
import { inspect } from "./axe.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

test.use({ beginning: "empty" });

const continueAs = (page: Page, role: string) => page.getByRole("button", { name: new RegExp(`Continue as ${role}`) });

/** An earlier test may have opened it. */
const openDemo = async (page: Page): Promise<void> => {
  await page.goto("/sign-in");
  const open = page.getByRole("button", { name: "Open demo workspace" });
  await expect(open.or(continueAs(page, "builder"))).toBeVisible();
  if (await open.isVisible()) await open.click();
  // Opening activates five MCP servers.
  await expect(continueAs(page, "builder")).toBeVisible({ timeout: 60_000 });
};

test("axe finds nothing on the sign-in page before and after the demo opens", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await inspect(page, /Sign in · Countersign$/);
  await openDemo(page);
  await inspect(page, /Sign in · Countersign$/);
  await page.goto("/setup?token=unknown");
  await inspect(page, /Set up · Countersign$/);
});

test("the demo starts with a refused run, a waiting run, one at the review desk, a fork, and a drifted server", async ({ page }) => {
  await openDemo(page);
  await continueAs(page, "admin").click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goto("/runs");
  const runs = page.getByRole("table", { name: "Runs" });
  const rowOf = (id: string) => runs.getByRole("row").filter({ hasText: id });
  // Run ids begin with the same digits.
  const run = (nth: number) => runs.getByRole("row").filter({ has: page.locator(`a[href$="b${nth}"]`) });
  await expect(run(1)).toContainText("Completed", { timeout: 30_000 });
  // The fork waits five seconds for its parent.
  await mutate(page, "setup.createDemo", undefined);
  await expect(rowOf("5de50000")).toHaveCount(5);
  await expect(run(1).locator("[data-mark=refused]")).toBeVisible();
  await expect(run(2)).toContainText("Waiting");
  await expect(run(3)).toContainText("Waiting");
  await expect(run(4)).toContainText("simulation");
  await expect(run(5)).toContainText("Waiting");

  await page.getByRole("link", { name: "MCP servers" }).click();
  const weather = page.getByRole("row").filter({ hasText: "Weather" });
  await expect(weather).toContainText(/drifted/i);
});

test("the inbox row alone tells the hostile approval from the honest one, which comes after it", async ({ page }) => {
  await openDemo(page);
  await continueAs(page, "reviewer").click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.goto("/approvals");
  const rows = page.getByRole("table", { name: "Open approvals" }).getByRole("row").filter({ hasText: "Support desk" });
  const [hostile, honest] = [rows.nth(0), rows.nth(1)];
  await expect(hostile).toContainText("Move cus_1005 (Peakworks Accounts) to business with a $10,000.00 credit", { timeout: 60_000 });
  await expect(hostile).toContainText("High");
  await expect(hostile).toContainText("Different customer_id: the run looked up cus_1002 (Tunde Okafor)");
  await expect(honest).toContainText("Move cus_1001 (Maria Lindqvist) to team");
  await expect(honest).toContainText("Medium");
  await expect(honest).not.toContainText(/Different|refused|credit/);
});
