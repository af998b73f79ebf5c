import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { openApproval, startRun } from "../desk.ts";
import { signInAs } from "../people.ts";
import { test } from "../test.ts";

const images = path.resolve(import.meta.dirname, "../../docs/images");

const picture = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join(images, `${name}.png`), animations: "disabled" });
};

test("the pictures of the README", async ({ page }) => {
  await signInAs(page, "builder");
  const honest = await startRun(page, /^Scripted: honest/);
  const run = await startRun(page, /^Scripted: compromised/);
  await page.goto(`${run}?t=6`);
  await expect(page.getByText("write_not_granted").first()).toBeVisible();
  await picture(page, "refusals");

  await page.goto(`${run}?t=6&path=mail`);
  await expect(page.getByRole("tablist", { name: "Provenance" })).toBeVisible();
  await picture(page, "timeline");

  await page.goto("/graphs");
  await page.getByRole("link", { name: "Support desk under attack" }).click();
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await page.goto(`${page.url()}?overlay=hostile&panel=overlay&hostile=agent:planner`);
  await expect(page.getByText(/^Before the first approval it could/)).toBeVisible();
  await picture(page, "editor");

  await signInAs(page, "reviewer");
  await page.setViewportSize({ width: 900, height: 1_000 });
  await openApproval(page, honest);
  await picture(page, "approval-honest");
  await openApproval(page, run);
  await picture(page, "approval-hostile");
});
