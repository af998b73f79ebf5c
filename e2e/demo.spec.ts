import { expect, type Page } from "@playwright/test";
import { z } from "zod";
import { inspect } from "./axe.ts";
import { test } from "./test.ts";
import { mutate, query } from "./wire.ts";

test.use({ beginning: "empty" });

const runsSchema = z.object({
  runs: z.array(z.object({ id: z.string(), graphName: z.string(), status: z.string(), simulated: z.boolean(), refusals: z.number() })),
});

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

test("the demo starts with a refused run, a waiting run, one at the review desk, a fork, and a drifted server that graphs use", async ({
  page,
}) => {
  await openDemo(page);
  await expect(continueAs(page, "auditor")).toBeVisible();
  await continueAs(page, "admin").click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  // The fork waits five seconds for its parent.
  await mutate(page, "setup.createDemo", undefined);
  const { runs } = runsSchema.parse(await query(page, "runs.list", {}));
  expect(new Set(runs.map(({ id }) => id.slice(0, 8))).size).toBe(5);
  expect(runs.map(({ graphName, status, simulated }) => `${graphName}: ${simulated ? "simulation" : status}`).toSorted()).toEqual([
    "Digest a page: waiting",
    "Support desk under attack: completed",
    "Support desk under attack: simulation",
    "Support desk under attack: waiting",
    "Support desk under attack: waiting",
  ]);
  expect(runs.filter(({ refusals, simulated }) => refusals > 0 && !simulated)).toHaveLength(2);

  await page.goto("/admin/mcp/rug-pull");
  await expect(page.getByText(/drifted/i).first()).toBeVisible();
  for (const graph of ["Delivery planning", "Weather notice"]) await expect(page.getByRole("link", { name: graph }).first()).toBeVisible();
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
