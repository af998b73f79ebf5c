import { spawn, type ChildProcessByStdio } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import type { Readable, Writable } from "node:stream";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { e2eHome } from "./home.ts";
import { choose, tabTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const ROOT = path.join(import.meta.dirname, "..");

type Written = { readonly run: string; readonly version: number };

/** Through the engine's own functions. */
class Writer {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly lines: AsyncIterator<string>;

  constructor(options: readonly string[]) {
    this.child = spawn(process.execPath, ["bench/runs/start.ts", "--into", e2eHome(), ...options], {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, COUNTERSIGN_HOME: e2eHome() },
    });
    this.lines = readline.createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async next(): Promise<Written> {
    const line = await this.lines.next();
    if (line.done === true) throw new Error("nothing was written");

    return JSON.parse(line.value) as Written;
  }

  goOnTo(records: number): Promise<Written> {
    this.child.stdin.write(`${records}\n`);

    return this.next();
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
    this.child.stdin.end();

    return closed;
  }
}

const records = (page: Page) => page.getByRole("listbox", { name: "Records" });
const selected = (page: Page) => records(page).getByRole("option", { selected: true });
const strip = (page: Page) => page.getByRole("slider", { name: "Record" });
const at = (page: Page) => strip(page).getAttribute("aria-valuenow").then(Number);

/** Loaded and verified. */
const isWhole = (page: Page): Promise<void> => expect(page.getByText("All records", { exact: true })).toBeVisible({ timeout: 60_000 });

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

test("a run is stepped by keys: refusals, a pinned path, playback, a filter, and a link that restores all of it", async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const writer = new Writer(["--records", "600", "--seed", "keys"]);
  const { run, version } = await writer.next();
  await writer.close();
  // The pinned value derives from personal data.
  await signInAs(page, "reviewer");
  await page.goto(`/runs/${run}`);
  await isWhole(page);
  await expect(strip(page)).toHaveAttribute("aria-valuenow", String(version - 1));

  await press(page, "Home");
  await expect(strip(page)).toHaveAttribute("aria-valuenow", "0");
  await press(page, "ArrowRight", "j", "ArrowLeft");
  await expect(strip(page)).toHaveAttribute("aria-valuenow", "1");
  await press(page, "r");
  await expect(selected(page)).toHaveAttribute("data-marker", "refusal");
  await expect(selected(page)).toContainText("write_not_granted");
  const refusal = await at(page);
  // Steps within a moment share a history entry.
  await expect(page).toHaveURL(new RegExp(`[?&]t=${refusal}(?!\\d)`));
  await press(page, "Shift+ArrowRight");
  await expect.poll(() => at(page)).toBeGreaterThan(refusal);
  await expect(page).not.toHaveURL(new RegExp(`[?&]t=${refusal}(?!\\d)`));
  await page.goBack();
  await expect(strip(page)).toHaveAttribute("aria-valuenow", String(refusal));

  const pin = page.getByRole("button", { name: "Pin request", exact: true });
  await tabTo(page, pin);
  await press(page, "p");
  const value = page.getByRole("status", { name: "Value of request" });
  await expect(value).toContainText('"customer"');
  const before = await value.textContent();
  await page.getByRole("main").focus();
  await press(page, "n");
  await expect(value).not.toHaveText(before ?? "");
  await expect(page.getByRole("region", { name: "Pinned paths" })).toContainText(`in record ${await at(page)}`);

  const changed = await at(page);
  await press(page, " ");
  await expect.poll(() => at(page)).toBeGreaterThan(changed + 1);
  await press(page, " ");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const stopped = await at(page);

  await choose(page, "Show", /^Refusals \(\d+\)/);
  await expect(page).toHaveURL(/show=refusals/);
  await expect(records(page).getByRole("option").first()).toHaveAttribute("data-marker", "refusal");
  await page.getByRole("main").focus();
  await press(page, "ArrowRight");
  await expect.poll(() => at(page)).toBeGreaterThan(stopped);
  await expect(selected(page)).toHaveAttribute("data-marker", "refusal");

  // Faster than the address follows.
  await press(page, "ArrowRight", "d", "y");
  await expect(page.getByRole("region", { name: /^State after record/ })).toHaveCount(0);
  const last = await at(page);
  await expect(page.getByText(`Link to record ${last} copied`).first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto(link);
  await isWhole(page);
  await expect(strip(page)).toHaveAttribute("aria-valuenow", String(last));
  await expect(page.getByRole("status", { name: "Value of request" })).toContainText('"customer"');
  await expect(page.getByRole("combobox", { name: "Show" })).toContainText("Refusals");
  await expect(page.getByRole("region", { name: /^State after record/ })).toHaveCount(0);
  await expectAccessible(page, "a crowded run");
});

test("eight tabs on a live run share one connection: a ninth page loads, all update, and scrolling is not disturbed", async ({
  context,
}) => {
  test.setTimeout(300_000);
  const page = await context.newPage();
  const writer = new Writer(["--records", "4000", "--seed", "live", "--until", "120"]);
  const { run } = await writer.next();
  await signInAs(page, "builder");
  const tabs = [page];
  for (let count = 1; count < 8; count += 1) tabs.push(await context.newPage());
  for (const tab of tabs) {
    await tab.goto(`/runs/${run}`);
    await expect(selected(tab)).toBeVisible({ timeout: 60_000 });
  }
  const ninth = await context.newPage();
  await ninth.goto("/runs");
  await expect(ninth.getByRole("heading", { level: 1 })).toBeVisible();

  await page.bringToFront();
  await records(page).hover();
  await page.mouse.wheel(0, -200);
  const left = await at(page);
  const { version } = await writer.goOnTo(140);
  for (const tab of tabs.slice(1)) await expect(strip(tab)).toHaveAttribute("aria-valuenow", String(version - 1), { timeout: 30_000 });
  const pill = page.getByRole("button", { name: /^\d+ new records?$/ });
  await expect(pill).toBeVisible();
  expect(await at(page)).toBe(left);
  await pill.click();
  await expect(strip(page)).toHaveAttribute("aria-valuenow", String(version - 1));

  // Another tab takes over the connection.
  await page.close();
  const later = await writer.goOnTo(160);
  for (const tab of tabs.slice(1))
    await expect(strip(tab)).toHaveAttribute("aria-valuenow", String(later.version - 1), { timeout: 30_000 });
  await writer.close();
});

test("empty, single-record and unknown runs say so", async ({ page }) => {
  await signInAs(page, "builder");
  const writer = new Writer(["--records", "50", "--seed", "one", "--until", "1"]);
  const { run } = await writer.next();
  await page.goto(`/runs/${run}`);
  await expect(records(page).getByRole("option")).toHaveCount(1);
  await expect(strip(page)).toHaveAttribute("aria-valuemax", "0");
  await expectAccessible(page, "a run of one record");
  await writer.close();

  await page.goto("/runs/00000000-0000-4000-8000-00000000dead");
  await expect(page.getByRole("heading", { name: "Run not found" })).toBeVisible();
});
