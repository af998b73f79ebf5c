/** The demo as it is opened, and what is in it before anybody has done anything in it: runs before all other specs. */
import { expect } from "@playwright/test";
import { inspect } from "./axe.ts";
import { openDemo, signInAs } from "./people.ts";
import { test } from "./test.ts";

test("the sign-in page is free of faults, before and after the demo is open", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await inspect(page, /Sign in · Countersign$/);
  await openDemo(page);
  await inspect(page, /Sign in · Countersign$/);
  await page.goto("/setup?token=unknown");
  await inspect(page, /Set up · Countersign$/);
});

test("the demo begins with a refused run, one that waits, one at the review desk, a fork, and a server that was caught changing", async ({
  page,
}) => {
  await signInAs(page, "admin");
  await page.goto("/runs");
  const runs = page.getByRole("table", { name: "Runs" });
  const rowOf = (id: string) => runs.getByRole("row").filter({ hasText: id });
  // All of them begin with the same digits, so the address of each tells which one it is.
  const run = (nth: number) => runs.getByRole("row").filter({ has: page.locator(`a[href$="b${nth}"]`) });
  await expect(rowOf("5de50000")).toHaveCount(4, { timeout: 30_000 });
  await expect(run(1)).toContainText("Completed");
  await expect(run(1).locator("[data-mark=refused]")).toBeVisible();
  await expect(run(2)).toContainText("Waiting");
  await expect(run(3)).toContainText("Waiting");
  await expect(run(4)).toContainText("simulation");

  await page.getByRole("link", { name: "MCP servers" }).click();
  const weather = page.getByRole("row").filter({ hasText: "Weather" });
  await expect(weather).toContainText(/drifted/i);
});
