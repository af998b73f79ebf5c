import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { openApproval, startRun } from "./desk.ts";
import { signInAs, signInAsAuditor } from "./people.ts";
import { test } from "./test.ts";

const RULE = "A run's total credit_cents from 1.00 in update_plan on customers";

const choose = async (page: Page, list: string, option: string): Promise<void> => {
  await page.getByRole("dialog").getByLabel(list, { exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

test("an admin demands two approvals for a run's total amount, a reviewer sees why, and a second admin confirms the removal", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/rules");
  await page.getByRole("button", { name: "Add rule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an approval rule" });
  await choose(page, "Tool", "update_plan on customers");
  await choose(page, "Amount", "credit_cents");
  await dialog.getByLabel("From", { exact: true }).fill("one");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(dialog.getByText("Enter an amount such as 1000 or 1000.50.")).toBeVisible();
  await dialog.getByLabel("From", { exact: true }).fill("1");
  await dialog.getByLabel("Add up this tool's calls in the run").click();
  await choose(page, "Approvals", "2 different people");
  await expectAccessible(page, "the form");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const row = page.getByRole("row", { name: RULE });
  await expect(row).toContainText("2 approvals");

  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAs(page, "reviewer");
  await page.goto("/approvals");
  const asked = page.getByRole("row").filter({ hasText: "Workspace rule" });
  await expect(asked.getByTitle(`${RULE} needs 2 approvals.`)).toBeVisible();
  await expectAccessible(page, "the inbox");
  await openApproval(page, run);
  await expect(page.getByText(`Workspace rule: ${RULE} needs 2 approvals.`)).toBeVisible();
  await expect(page.getByText("0 of 2 approvals")).toBeVisible();
  await expectAccessible(page, "the request");

  await signInAs(page, "admin");
  await page.goto("/admin/rules");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask a second admin" }).click();
  await expect(row).toContainText("A different admin must confirm.");
  await signInAsAuditor(page);
  await page.goto("/admin/rules");
  await expectAccessible(page, "the rules");
  await row.getByRole("button", { name: /^Confirm/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove rule" }).click();
  await expect(page.getByText("No approval rules yet")).toBeVisible();
});
