import { expect, type Locator, type Page } from "@playwright/test";
import { DEMO_GRAPH_ID } from "../server/seed/workflows.ts";
import { hasKeyboard } from "./keys.ts";
import { mutate, query } from "./wire.ts";

/** Its honest answer always needs an approval. */
const MAIL = "02-outage-credit.txt";

/** @param model label @returns its page */
export const startRun = async (page: Page, model: RegExp): Promise<string> => {
  const versions = await query<{ hash: string }[]>(page, "graphs.versions", { id: DEMO_GRAPH_ID });
  const models = await query<{ id: string; label: string }[]>(page, "models.list", undefined);
  const { runId: id } = await mutate<{ runId: string }>(page, "runs.start", {
    graphHash: versions[0]?.hash,
    goal: "Handle the mail",
    inputs: { mail_file: MAIL },
    model: models.find(({ label }) => model.test(label))?.id,
  });
  const run = `/runs/${id}`;
  await page.goto(run);
  await expect(status(page)).toContainText("Waiting");

  return run;
};

export const launchRun = async (page: Page, model: RegExp): Promise<string> => {
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Start a run" });
  await dialog.getByLabel("Mail").click();
  await page.getByRole("option", { name: MAIL }).click();
  await dialog.getByLabel("Model").click();
  await page.getByRole("option", { name: model }).click();
  await dialog.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  const run = new URL(page.url()).pathname;
  await expect(status(page)).toContainText("Waiting");

  return run;
};

export const status = (page: Page) => page.getByLabel("Run status");

export const openApproval = async (page: Page, run: string): Promise<void> => {
  await page.goto(run);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
  await expect(page.getByText("Calls update_plan on customers once, with exactly the arguments below.", { exact: true })).toBeVisible();
};

/** Shows every request. */
export const openInbox = async (page: Page): Promise<void> => {
  await page.goto("/approvals");
  await expect(page.getByText(/Shall this change be written/).first()).toBeVisible();
};

/** No key arms until the page has been in front for two seconds. */
export const pressUntil = (page: Page, key: string, said: Locator): Promise<void> =>
  expect(async () => {
    await page.keyboard.press(key);
    await expect(said.first()).toBeVisible({ timeout: 700 });
  }).toPass({ timeout: 20_000, intervals: [50] });

/** Visits values out of sight or folded; approving waits for them. */
export const seeAll = async (page: Page): Promise<void> => {
  await expect(page.getByRole("button", { name: /^Approve|^Answer/ })).toBeVisible();
  const next = page.getByRole("button", { name: /^Show next/ });
  await expect(async () => {
    if ((await next.count()) > 0) await page.keyboard.press("n");
    await expect(next).toHaveCount(0, { timeout: 200 });
  }).toPass({ timeout: 20_000, intervals: [50] });
};

export const armByKey = async (page: Page, key: string, armed = "Approve?"): Promise<void> => {
  await page.keyboard.press("Tab");
  if (key === "a") await seeAll(page);
  await pressUntil(page, key, page.getByText(armed, { exact: true }));
};

/** Half a second after arming. */
export const commitByKey = (page: Page): Promise<void> =>
  pressUntil(page, "Enter", page.getByRole("region", { name: "Time to undo" }).or(page.getByText(/^(?:Committed as|Committing|Sending )/)));

/** @param reason required for a rejection */
export const decideByKeys = async (page: Page, choice: "approve" | "reject", reason = ""): Promise<void> => {
  await armByKey(page, choice === "approve" ? "a" : "r", choice === "approve" ? "Approve?" : "Reject?");
  if (reason !== "") {
    await expect(page.getByRole("textbox", { name: "Reason" })).toBeFocused();
    await page.keyboard.type(reason);
  }
  await commitByKey(page);
  await commitNow(page);
};

const MOST_STOPS = 4;

/** On a stalled machine the five seconds may be over. @param outcome text after sending */
export const commitNow = async (page: Page, outcome = "Committed as"): Promise<void> => {
  const now = page.getByRole("button", { name: "Send now" });
  const said = page.getByText(outcome).first();
  await expect(now.or(said).first()).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS && !(await hasKeyboard(now)); stops += 1) await page.keyboard.press("Tab");
  // It ignores accidental double presses.
  const ready = page.locator("button:focus:not([aria-disabled])").filter({ hasText: "Send now" });
  await expect(ready.or(said).first()).toBeVisible();
  if (await hasKeyboard(ready)) await page.keyboard.press("Enter");
  await expect(said).toBeVisible();
};
