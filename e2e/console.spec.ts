import { expect, type Page } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const SEARCH = "/admin/mcp/library?tool=search";

const tryOut = (page: Page) => page.getByRole("region", { name: "Try it out" });
const limits = (page: Page) => page.getByRole("region", { name: "Call limits" });

test("an admin tries a tool; the answer is recorded as untrusted text", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto(SEARCH);
  const call = tryOut(page).getByRole("button", { name: "Call search" });
  await expect(call).toBeDisabled();
  await tryOut(page).getByLabel("query").fill("a");
  await call.click();
  await expect(tryOut(page).getByText("Answered")).toBeVisible();
  await expect(tryOut(page).getByText("Untrusted")).toBeVisible();
  await expect(tryOut(page).getByText(/Ledger record \d+/)).toBeVisible();
  await expect(tryOut(page).getByLabel("Server response")).toContainText("hits");
  expect(await faultsOf(page)).toEqual([]);
});

test("a tool with possible effects is called only after typing its name", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/mcp/library?tool=publish");
  const call = tryOut(page).getByRole("button", { name: "Call publish" });
  for (const field of ["title", "summary", "body"]) await tryOut(page).getByLabel(field).fill("x");
  await tryOut(page).getByLabel("Tool name").fill("Publish");
  await expect(call).toBeDisabled();
  await tryOut(page).getByLabel("Tool name").fill("publish");
  await expect(call).toBeEnabled();
});

test("invalid limits are marked at their fields; valid ones apply from the next call", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto(SEARCH);
  await limits(page).getByText("Edit limits").click();
  await limits(page).getByLabel("Idle timeout (s)").fill("0");
  await expect(limits(page).getByText("Enter 1 to 600.")).toBeVisible();
  await expect(limits(page).getByRole("button", { name: "Save limits" })).toBeDisabled();
  await limits(page).getByLabel("Idle timeout (s)").fill("45");
  await limits(page).getByRole("button", { name: "Save limits" }).click();
  await expect(limits(page).getByText("This tool's own limits.")).toBeVisible();
  await expect(limits(page).getByText(/^Idle timeout 45 s/)).toBeVisible();
  await limits(page).getByText("Edit limits").click();
  await limits(page).getByRole("button", { name: "Use server limits" }).click();
  await expect(limits(page).getByText(/^Idle timeout 60 s/)).toBeVisible();
});

test("people who manage no servers read limits and health and learn why they can't change them", async ({ page }) => {
  await signInAs(page, "viewer");
  await page.goto(SEARCH);
  await expect(page.getByRole("region", { name: "Health" })).toContainText("Tools listed");
  await expect(tryOut(page).getByRole("button", { name: "Call search" })).toBeDisabled();
  await tryOut(page).getByRole("button", { name: "Call search" }).hover();
  await expect(page.getByText("Needs admin; you are viewer").first()).toBeVisible();
});
