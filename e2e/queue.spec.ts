import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { expectAccessible } from "./axe.ts";
import { armByKey, commitByKey, commitNow, pressUntil } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";

/** With a promotion, the value counts as reviewed afterwards. */
const documentOf = (id: string, name: string, promotes: boolean): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name,
  inputs: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"], additionalProperties: false },
  memory: ["topic", "checked"].map((key) => ({ key, schema: { type: "string" } })),
  nodes: [
    {
      id: "ask",
      kind: "approval",
      title: "Ask",
      read_keys: ["topic"],
      write_keys: promotes ? ["checked"] : [],
      config: { prompt: `May ${name} go on?`, review_keys: ["topic"], promote: promotes ? [{ from: "topic", to: "checked" }] : [] },
    },
  ],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask"],
});

const waiting = async (page: Page, name: string, promotes: boolean, runs: number): Promise<string[]> => {
  const { hash } = await publish(page, documentOf(name.toLowerCase().replaceAll(" ", "-"), name, promotes), name);
  const started: string[] = [];
  for (let run = 0; run < runs; run += 1) started.push(await startVersion(page, hash, { topic: `number ${run}` }));

  return started;
};

const rows = (page: Page, prompt: string | RegExp) => page.getByRole("link", { name: prompt });
const selected = (page: Page) => page.getByLabel("Selection", { exact: true });

/** Timers continue. */
const setTime = (page: Page, atMs: number): Promise<void> =>
  page.evaluate((fixed) => {
    Date.now = () => fixed;
  }, atMs);

/** A decision adds at least one. */
const recordsOf = async (page: Page, run: string): Promise<number> => {
  const input = encodeURIComponent(JSON.stringify({ runId: run }));
  const answer = await page.request.get(`/api/trpc/runs.get?input=${input}`);
  const { result } = (await answer.json()) as { result: { data: { run: { version: number } } } };

  return result.data.run.version;
};

test("filters are in the address, and Back removes them", async ({ page }) => {
  const name = `Filters ${Date.now()}`;
  await signInAs(page, "second builder");
  await waiting(page, name, false, 2);
  await signInAs(page, "reviewer");
  await page.goto("/approvals");
  await expect(page).toHaveTitle(/^\(\d+\) Approvals · Countersign$/);
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(2);

  await page.getByRole("button", { name: /^Needs my decision \d+/ }).click();
  await expect(page).toHaveURL(/[?&]mine=true/);
  await page.getByLabel("Risk").click();
  await page.getByRole("option", { name: /^High risk/ }).click();
  await expect(page).toHaveURL(/mine=true&risk=high/);
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(0);
  await page.goBack();
  await expect(page).not.toHaveURL(/risk=/);
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(2);

  await page.getByRole("searchbox", { name: "Search" }).fill("nothing matches this");
  await expect(page.getByText("No matching approvals")).toBeVisible();
  await expectAccessible(page, "nothing matches");
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await expect(page).toHaveURL(/\/approvals$/);
  await expectAccessible(page, "the queue");
});

test("an approval is opened, armed, committed and undone by keys alone, leaving no record", async ({ page }) => {
  const name = `Undone ${Date.now()}`;
  await signInAs(page, "second builder");
  const runs = await waiting(page, name, false, 2);
  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(2);
  await page.keyboard.press("j");
  await expect(rows(page, `May ${name} go on?`).first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows(page, `May ${name} go on?`).nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(rows(page, `May ${name} go on?`).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/approvals/*");
  await expect(page.getByRole("navigation", { name: "Queue" })).toContainText("1 of 2");
  const before = await Promise.all(runs.map((run) => recordsOf(page, run)));

  await test.step("a rejection needs a reason and stays armed meanwhile", async () => {
    await armByKey(page, "r", "Reject?");
    await expect(page.getByRole("textbox", { name: "Reason" })).toBeFocused();
    await pressUntil(page, "Enter", page.getByText("Required. Your reason goes to the proposer"));
    await expectAccessible(page, "a reason is missing");
    await page.keyboard.press("Escape");
  });

  // A slow machine must not decide.
  await setTime(page, Date.now());
  await armByKey(page, "a");
  await commitByKey(page);
  await expect(page.getByText("Sending approval in 5 s")).toBeVisible();
  await expect(page.getByRole("region", { name: "Time to undo" })).toBeFocused();
  await expectAccessible(page, "counting down");
  await page.keyboard.press("u");
  await expect(page.getByText("Undone. Nothing was sent.").last()).toBeVisible();

  await test.step("a decision survives leaving its page and can be undone from elsewhere", async () => {
    await armByKey(page, "a");
    await commitByKey(page);
    await expect(page.getByText(/^Sending approval in/)).toBeVisible();
    await page.keyboard.press("]");
    await expect(page.getByRole("navigation", { name: "Queue" })).toContainText("2 of 2");
    const following = page.getByRole("list", { name: "Decisions in progress" });
    await expect(following).toContainText("Sending approval in");
    await page.keyboard.press("u");
    await expect(following).toContainText("Undone. Nothing was sent.");
    await page.keyboard.press("[");
    await expect(page.getByRole("navigation", { name: "Queue" })).toContainText("1 of 2");
  });
  // By then, without the undo.
  const undoneAt = Date.now();
  await setTime(page, undoneAt + 60_000);
  await expect.poll(() => Date.now() - undoneAt, { timeout: 20_000 }).toBeGreaterThan(6_000);
  expect(await Promise.all(runs.map((run) => recordsOf(page, run)))).toEqual(before);
});

test("approvals with the same effect are decided together, each with its own record", async ({ page }) => {
  const name = `Together ${Date.now()}`;
  await signInAs(page, "second builder");
  const runs = await waiting(page, `${name} low`, false, 3);
  await waiting(page, `${name} high`, true, 1);
  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
  await expect(rows(page, /May Together/)).toHaveCount(4);
  const before = await Promise.all(runs.map((run) => recordsOf(page, run)));

  await test.step("different effects are not batched", async () => {
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await expect(selected(page)).toContainText("The selected requests have different authority");
    await expect(page.getByRole("button", { name: "Decide together…" })).toHaveAttribute("aria-disabled", "true");
    await expectAccessible(page, "a selection");
  });
  await page.getByRole("checkbox", { name: `Select May ${name} high go on?` }).uncheck();
  await expect(selected(page)).toContainText("3 selected");
  await page.getByRole("button", { name: "Decide together…" }).click();
  const list = page.getByRole("list", { name: "Approvals to decide together" });
  await expect(list.getByRole("button", { name: /^Copy view digest/ })).toHaveCount(3);
  await expect(list.getByText("No authority change.")).toHaveCount(3);
  await expectAccessible(page, "together");
  await armByKey(page, "a");
  await commitByKey(page);
  await commitNow(page, "3 of 3 committed.");
  await expect(list.getByText("Committed as")).toHaveCount(3);
  const after = await Promise.all(runs.map((run) => recordsOf(page, run)));
  expect(after.every((records, index) => records > (before[index] ?? 0))).toBe(true);
});

test("another person's decision appears in place within seconds", async ({ page, browser, baseURL }) => {
  const name = `Live ${Date.now()}`;
  await signInAs(page, "second builder");
  await waiting(page, name, false, 2);
  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(2);
  const first = await rows(page, `May ${name} go on?`).first().getAttribute("href");
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    storageState: await page.context().storageState(),
  });
  const other = await context.newPage();
  await other.goto(first ?? "");
  await expect(other.getByRole("button", { name: /^Approve/ })).toBeEnabled();
  await armByKey(other, "a");
  await commitByKey(other);
  // The undo window ends.
  await expect(other.getByText("Committed as")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: name }).first()).toContainText("Approved");
  await expect(rows(page, `May ${name} go on?`).first()).toHaveAttribute("href", first ?? "");
  await page.getByRole("button", { name: "Update order" }).click();
  await expect(rows(page, `May ${name} go on?`)).toHaveCount(1);
  await context.close();
});
