import { expect } from "@playwright/test";
import { foundOwnWorkspace } from "./own-workspace.ts";
import { test } from "./test.ts";

test("an admin stops all work, every page says so, and resumes it", async ({ page }) => {
  const banner = page.getByText("All work is stopped", { exact: true });
  await foundOwnWorkspace(page);
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "Stop all work" })).toBeVisible();
  await expect(banner).toBeHidden();
  await page.getByRole("button", { name: "Stop all work…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop all work", exact: true }).click();
  await expect(banner).toBeVisible();
  await page.goto("/runs");
  await expect(banner).toBeVisible();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Resume work…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume work", exact: true }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole("button", { name: "Stop all work…" })).toBeVisible();
});
