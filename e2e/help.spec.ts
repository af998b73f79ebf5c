import { expect } from "@playwright/test";
import { inspect } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test("leads from the user menu to the glossary and the node kinds", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  await page.getByRole("button", { name: /\bbuilder$/ }).click();
  await page.getByRole("menuitem", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
  await inspect(page, /Documentation/);

  await page.getByRole("main").getByRole("link", { name: "Glossary" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
  await expect(page.getByText("Blast radius", { exact: true })).toBeVisible();

  await page.goto("/help/tutorials/first-graph");
  await page.getByRole("link", { name: "Node kinds" }).click();
  await expect(page).toHaveURL(/\/help\/reference\/nodes#approval$/);
  await expect(page.getByRole("heading", { level: 2, name: "approval" })).toBeVisible();
  await inspect(page, /Documentation/);
});

test("answers 404 for a page outside the documentation", async ({ page }) => {
  await signInAs(page, "builder");
  for (const name of ["nothing-here", "%2e%2e/package", "tutorials/..%2f..%2fpackage"]) {
    expect((await page.request.get(`/help/${name}`)).status()).toBe(404);
  }
});
