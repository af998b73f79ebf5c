/** A tool's trial call, limits and health. */
import { expect, type Page } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const SEARCH = "/admin/mcp/library?tool=search";

const tryOut = (page: Page) => page.getByRole("region", { name: "Try it out" });
const limits = (page: Page) => page.getByRole("region", { name: "Limits of a call" });

test("an admin tries a tool: the answer is untrusted text and on record", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto(SEARCH);
  const call = tryOut(page).getByRole("button", { name: "Call search" });
  await expect(call).toBeDisabled();
  await tryOut(page).getByLabel("query").fill("a");
  await call.click();
  await expect(tryOut(page).getByText("Answered")).toBeVisible();
  await expect(tryOut(page).getByText("Untrusted")).toBeVisible();
  await expect(tryOut(page).getByText(/Record \d+ of the workspace's ledger/)).toBeVisible();
  await expect(tryOut(page).getByLabel("What the server answered")).toContainText("hits");
  expect(await faultsOf(page)).toEqual([]);
});

test("a tool with possible effects is called only after its name is typed", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/mcp/library?tool=publish");
  const call = tryOut(page).getByRole("button", { name: "Call publish" });
  for (const field of ["title", "summary", "body"]) await tryOut(page).getByLabel(field).fill("x");
  await tryOut(page).getByLabel("Name of the tool").fill("Publish");
  await expect(call).toBeDisabled();
  await tryOut(page).getByLabel("Name of the tool").fill("publish");
  await expect(call).toBeEnabled();
});

test("invalid limits are marked at their fields; valid ones apply from the next call", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto(SEARCH);
  await limits(page).getByText("Change the limits").click();
  await limits(page).getByLabel("Silence, s").fill("0");
  await expect(limits(page).getByText("From 1 to 600.")).toBeVisible();
  await expect(limits(page).getByRole("button", { name: "Save limits" })).toBeDisabled();
  await limits(page).getByLabel("Silence, s").fill("45");
  await limits(page).getByRole("button", { name: "Save limits" }).click();
  await expect(limits(page).getByText("Its own limits.")).toBeVisible();
  await expect(limits(page).getByText(/^45 s of silence/)).toBeVisible();
  await limits(page).getByText("Change the limits").click();
  await limits(page).getByRole("button", { name: "Use the server's" }).click();
  await expect(limits(page).getByText(/^60 s of silence/)).toBeVisible();
});

test("people who manage no servers read limits and health and learn why they can't change them", async ({ page }) => {
  await signInAs(page, "viewer");
  await page.goto(SEARCH);
  await expect(page.getByRole("region", { name: "Health" })).toContainText("Listed its tools");
  await expect(tryOut(page).getByRole("button", { name: "Call search" })).toBeDisabled();
  await tryOut(page).getByRole("button", { name: "Call search" }).hover();
  await expect(page.getByText("Needs admin; you are viewer").first()).toBeVisible();
});
