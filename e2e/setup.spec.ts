/** The first start: the printed link makes the first admin, once. */
import { expect, test } from "@playwright/test";
import { setupLink } from "./home.ts";

test("the set-up link makes the first admin, who is signed in and can sign in again; then the link is void", async ({ page }) => {
  const link = setupLink();

  await page.goto(link);
  await page.getByLabel("Your name").fill("Ada Admin");
  await page.getByLabel("E-mail").fill("ada@acme.test");
  await page.getByLabel("Password").fill("a sentence is a good password");
  await page.getByLabel("Workspace").fill("Acme");
  await page.getByRole("button", { name: "Create the first admin" }).click();
  await expect(page.getByRole("navigation")).toBeVisible();

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText("The link is used up, expired or incomplete.")).toBeVisible();

  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill("ada@acme.test");
  await page.getByLabel("Password").fill("a sentence is a good password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("navigation")).toBeVisible();
});
