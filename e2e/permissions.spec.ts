import { expect } from "@playwright/test";
import { inspect } from "./axe.ts";
import { choose } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test("an admin asks for an account's permissions by keyboard and gets the reasons", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/people");
  await page.getByRole("tab", { name: "Permissions" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/show=permissions/);
  await inspect(page, /People/);
  await expect(page.getByText("No, because")).toBeVisible();
  await expect(page.getByText("Requires reviewer; this account is admin.")).toBeVisible();
  await expect(page.getByText(/Admins manage servers, models and people, so they can't approve/)).toBeVisible();

  await choose(page, "Action", "Permanently destroy stored values");
  await expect(
    page.getByText("Requires the auditor add-on in addition to the role admin. An attempt is refused and recorded."),
  ).toBeVisible();
  const answer = await page.getByText("No, because").locator("..").innerText();
  // The address holds the question.
  await page.reload();
  await expect(page.getByText("No, because").locator("..")).toHaveText(answer, { useInnerText: true });
});

test("the table has a row for each permission with its procedures and names its roles", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/people?show=permissions");
  const table = page.getByRole("table", { name: "Permissions by role" });
  const row = table.getByRole("row", { name: /Approve, reject and edit requests/ });
  await expect(row.getByRole("cell").nth(3)).toHaveText("yes");
  await expect(row.getByRole("cell").nth(4)).toContainText("no");
  await expect(row).toContainText("approvals.decide");
});

test("non-admins learn why the page is closed, and the API refuses", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/admin/people?show=permissions");
  await expect(page.getByText("Needs admin; you are builder")).toBeVisible();
  expect((await page.request.get("/api/trpc/permissions.list")).status()).toBe(403);
});
