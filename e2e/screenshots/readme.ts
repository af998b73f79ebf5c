import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { openApproval, startRun } from "../desk.ts";
import { signInAs } from "../people.ts";
import { test } from "../test.ts";

const images = path.resolve(import.meta.dirname, "../../docs/images");

const picture = async (page: Page, name: string, last: Locator): Promise<void> => {
  await expect(last).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join(images, `${name}.png`), animations: "disabled" });
};

test("the pictures of the README", async ({ page }) => {
  await signInAs(page, "builder");
  const honest = await startRun(page, /^Scripted: honest/);
  const run = await startRun(page, /^Scripted: compromised/);
  await page.goto(`${run}?t=6`);
  await expect(page.getByText("write_not_granted").first()).toBeVisible();
  const live = page.getByText("Live", { exact: true });
  await picture(page, "refusals", live);

  await page.goto(`${run}?t=6&path=mail`);
  await expect(page.getByRole("tablist", { name: "Provenance" })).toBeVisible();
  await picture(page, "timeline", live);

  await page.goto("/graphs");
  await page.getByRole("link", { name: "Support desk under attack" }).click();
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await page.goto(`${page.url()}?overlay=hostile&panel=overlay&hostile=agent:planner`);
  await expect(page.getByText(/^Before the first approval it could/)).toBeVisible();
  await picture(page, "editor", page.getByRole("tab", { name: /^Problems \d/ }));

  await signInAs(page, "reviewer");
  await page.setViewportSize({ width: 900, height: 1_000 });
  for (const [name, of] of [
    ["approval-honest", honest],
    ["approval-hostile", run],
  ] as const) {
    await openApproval(page, of);
    await expect(page.getByRole("navigation", { name: "Queue" })).toContainText(/\d of \d/);
    await picture(page, name, page.getByText("untrusted, record").first());
  }
});
