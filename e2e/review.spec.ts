import fs from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { decideByKeys, pressUntil, status } from "./desk.ts";
import { e2eHome } from "./home.ts";
import { choose, pressOn, tabTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

/** In the library's own file. */
const published = (): number => {
  const file = path.join(e2eHome(), "library", "state.json");
  if (!fs.existsSync(file)) return 0;
  const { data } = JSON.parse(fs.readFileSync(file, "utf8")) as { data: { articles: { status: string }[] } };

  return data.articles.filter((article) => article.status === "published").length;
};

const startResearch = async (page: Page): Promise<string> => {
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Research and publish/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByLabel("Question").fill("Do street trees cool a city in summer?");
  await dialog.getByLabel("Model").click();
  await page.getByRole("option", { name: /^Scripted: honest/ }).click();
  await dialog.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(status(page)).toContainText("Waiting", { timeout: 60_000 });

  return new URL(page.url()).pathname;
};

const openGate = async (page: Page, run: string): Promise<void> => {
  await page.goto(run);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
};

test("a reviewer opens a case, marks a span and approves by keyboard; it is published only after the judge and one more approval", async ({
  page,
}) => {
  await signInAs(page, "builder");
  const before = published();
  const run = await startResearch(page);

  await signInAs(page, "reviewer");
  await openGate(page, run);
  await expect(page.getByText("2 of 3 verdicts given; 2 approvals needed")).toBeVisible();
  await expect(page.getByRole("region", { name: "Sealed" })).toBeVisible();
  await expect(page.getByText("Below a closed row of street trees")).toHaveCount(0);
  await expect(page.getByText("Approves", { exact: true })).toHaveCount(0);
  await expectAccessible(page, "sealed");

  const text = page.getByRole("textbox", { name: "Target as text" });
  await page.keyboard.press("Tab");
  await pressUntil(page, "o", text);
  await expect(text).toHaveValue(/Below a closed row of street trees/);
  await expect(page.getByText("Passes the judge's rules")).toBeVisible();
  await expect(page.getByRole("button", { name: "found once in title" })).toHaveAttribute("aria-pressed", "true");

  await tabTo(page, text);
  await page.keyboard.press("Control+Home");
  for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press("Shift+ArrowRight");
  await expect(page.getByText(/^Selected 0 to 8: /)).toBeVisible();
  await choose(page, "Finding", "unsupported");
  await pressOn(page, page.getByRole("button", { name: "Attach to selection" }));
  await expect(page.getByRole("list", { name: "Your findings" })).toContainText("unsupported");
  await expectAccessible(page, "open");
  await decideByKeys(page, "approve");
  const verdicts = page.getByRole("list", { name: "Verdicts" });
  await expect(verdicts).toContainText("Facts reviewer");
  await expect(verdicts).toContainText("findings: unsupported at 0 to 8");

  await page.goto(run);
  await expect(status(page)).toContainText("Waiting");
  expect(published()).toBe(before);
  await openGate(page, run);
  await expect(page.getByText("Calls publish on library once, with exactly the arguments below.", { exact: true })).toBeVisible();
  await decideByKeys(page, "approve");
  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
  expect(published()).toBe(before + 1);
});

test("sealed content is hidden from people who are not asked, with the reason", async ({ page }) => {
  await signInAs(page, "builder");
  const run = await startResearch(page);
  await openGate(page, run);
  await expect(page.getByRole("region", { name: "Sealed" })).toBeVisible();
  await page.keyboard.press("o");
  await expect(page.getByRole("button", { name: /^Open 2 values/ })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText("Below a closed row of street trees")).toHaveCount(0);
});
