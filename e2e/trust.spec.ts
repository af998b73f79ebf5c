import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectAccessible, faultsOf } from "./axe.ts";
import { startRun } from "./desk.ts";
import { choose, goTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 240_000 });

const rows = (page: Page) => page.getByRole("table", { name: "Trust log" }).getByRole("row");
const look = (page: Page, name: string) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true });

/** Has a denial. */
const openLog = async (page: Page, role: "reviewer" | "admin"): Promise<string> => {
  await signInAs(page, "builder");
  const run = await startRun(page, /Scripted: compromised/);
  await signInAs(page, role);
  await page.goto("/audit/trust");
  await expect(rows(page).nth(1)).toBeVisible();

  return run;
};

test("views and filters are in the address, Back undoes them one by one, and a row links to its record", async ({ page }) => {
  await openLog(page, "reviewer");
  await look(page, "Denied in the last 24 h").click();
  await expect(page).toHaveURL(/type=access_denied/);
  await expect(look(page, "Denied in the last 24 h")).toHaveAttribute("aria-current", "true");
  await expect(rows(page).nth(1)).toContainText("Denied");
  await expect(page.getByRole("table").getByText("Tainted", { exact: true })).toHaveCount(0);

  const path = page.getByLabel("Path", { exact: true });
  await path.fill("no such path");
  await path.press("Enter");
  await expect(page.getByText("No matching events")).toBeVisible();
  await page.goBack();
  await expect(path).toHaveValue("");
  await expect(rows(page).nth(1)).toContainText("Denied");
  await page.goBack();
  await expect(page).toHaveURL(/\/audit\/trust$/);
  await expect(page.getByRole("table").getByText("Tainted", { exact: true }).first()).toBeVisible();

  await page.goto("/audit/trust?type=no_such_kind");
  await expect(page.getByText("The filter in this link is invalid")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await look(page, "Denied in the last 24 h").click();
  await expect(rows(page).nth(1)).toContainText("Denied");
  await rows(page)
    .nth(1)
    .getByRole("link", { name: /record \d+/ })
    .click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}\?t=\d+/);
  await expect(page.getByRole("listbox", { name: "Records" }).getByRole("option", { selected: true })).toContainText(/refused/i);
});

test("saves a private view under a name", async ({ page }) => {
  await openLog(page, "reviewer");
  await page.getByLabel("Actor").fill("agent:");
  await page.getByLabel("Actor").press("Enter");
  await expect(page).toHaveURL(/who=agent/);
  await page.getByRole("button", { name: "Save view…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("What agents did");
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(look(page, "What agents did")).toBeVisible();
  await page.goto("/audit/trust");
  await look(page, "What agents did").click();
  await expect(page).toHaveURL(/who=agent/);

  await signInAs(page, "admin");
  await page.goto("/audit/trust");
  await expect(look(page, "Openings")).toBeVisible();
  await expect(look(page, "What agents did")).toHaveCount(0);

  await signInAs(page, "reviewer");
  await page.goto("/audit/trust");
  await page.getByRole("button", { name: "Remove What agents did" }).click();
  await expect(look(page, "What agents did")).toHaveCount(0);
});

const download = async (page: Page, name: string): Promise<string> => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);

  return readFile(await file.path(), "utf8");
};

test("an admin exports the shown rows as CSV and JSONL", async ({ page }) => {
  const run = await openLog(page, "admin");
  await page.goto(`/audit/trust?type=access_denied,refused&run=${run.slice("/runs/".length)}`);
  await expect(rows(page).nth(1)).toBeVisible();
  const events = (await download(page, "Export JSONL"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  const lines = (await download(page, "Export CSV")).trimEnd().split("\r\n");
  expect(events.length).toBeGreaterThan(0);
  expect(events.filter(({ type }) => type !== "access_denied" && type !== "refused")).toEqual([]);
  expect(lines[0]).toBe("at,type,principal,node,path,run,seq,index,detail");
  expect(lines).toHaveLength(events.length + 1);
  await expect(rows(page)).toHaveCount(events.length + 1);
});

test("people without access or export rights learn why and get nothing", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/audit/trust");
  const button = page.getByRole("button", { name: "Export CSV" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.focus();
  await expect(page.getByText("Needs admin or auditor; you are reviewer").first()).toBeVisible();
  expect((await page.request.get("/api/trust/export?format=csv")).status()).toBe(403);

  await signInAs(page, "viewer");
  await page.goto("/audit/trust");
  await expect(page.getByRole("heading", { name: "You don't have access to the trust log." })).toBeVisible();
  await expect(page.getByText("Needs reviewer or admin or auditor; you are viewer").first()).toBeVisible();
  expect((await page.request.get("/api/trust/export?format=csv")).status()).toBe(403);

  await page.context().clearCookies();
  expect((await page.request.get("/api/trust/export?format=csv")).status()).toBe(401);
});

test("everything is reachable by keyboard, and axe finds nothing", async ({ page }) => {
  await openLog(page, "reviewer");
  await page.goto("/runs");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await goTo(page, "t", /\/audit\/trust$/);
  await expect(page).toHaveTitle(/Trust log · Countersign$/);
  await expect(rows(page).nth(1)).toBeVisible();
  await expectAccessible(page);
  await look(page, "Openings").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/type=declassification/);
  await choose(page, "Kind", "Any kind");
  await expect(page).toHaveURL(/\/audit\/trust\??$/);
  await page.getByRole("button", { name: "Zones…" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Zones" })).toBeVisible();
  expect(await faultsOf(page), "the zones").toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Zones…" })).toBeFocused();
});
