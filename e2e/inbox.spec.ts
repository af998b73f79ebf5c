import { expect, type Browser, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { decideByKeys, seeAll, startRun } from "./desk.ts";
import { goTo, openQueued, pressOn, signInByKeyboard, tabTo, typeInto } from "./keys.ts";
import { signInAs, signInAsAuditor } from "./people.ts";
import { test } from "./test.ts";

// Two runs, and axe in both colour schemes.
test.describe.configure({ timeout: 600_000 });

const EFFECT = "Calls update_plan on customers once, with exactly the arguments below.";

const pageOf = async (browser: Browser, baseURL: string | undefined): Promise<Page> =>
  (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage();

const openFromQueue = async (page: Page): Promise<void> => {
  await goTo(page, "a", /\/approvals/);
  await openQueued(
    page,
    page
      .getByRole("row", { name: /Shall this change be written/ })
      .getByRole("link")
      .first(),
  );
  await expect(page.getByText(EFFECT, { exact: true })).toBeVisible();
};

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

/** Others may wait too. */
const runOf = async (page: Page): Promise<string> => {
  const href = await region(page, "Context")
    .getByRole("link", { name: /^Support desk/ })
    .getAttribute("href");

  return href?.split("?")[0] ?? "";
};

test("an item is read, commented, edited, and decided by a second reviewer, by keys alone", async ({ page, browser, baseURL }) => {
  const starter = await pageOf(browser, baseURL);
  await signInAs(starter, "builder");
  await startRun(starter, /^Scripted: honest/);
  await signInByKeyboard(page, "reviewer");
  await openFromQueue(page);
  const asked = page.url();

  await test.step("shows what will be signed, with its provenance and current value", async () => {
    const sent = region(page, "Exact arguments that will be sent");
    await expect(sent.getByText("customers.update_plan.credit_cents")).toBeVisible();
    await expect(sent.getByText(/customers\/find_customer, untrusted, record/).first()).toBeVisible();
    await expect(sent.getByText("Untrusted value sets an amount").first()).toBeVisible();
    await expect(page.getByText("matches its bytes", { exact: true })).toBeVisible();
    await expect(region(page, "What happens if I reject?").getByText("Nothing proposed here is carried out.")).toBeVisible();
    const map = page.getByRole("listbox", { name: /^Position in the graph/ });
    await tabTo(page, map);
    await expect(map.getByRole("option", { selected: true })).toHaveAccessibleName(/waiting/);
    await page.keyboard.press("Home");
    await expect(map.getByRole("option", { selected: true })).toHaveAccessibleName(/entered by record/);
    await expectAccessible(page, "the item");
  });

  await test.step("a comment is a record", async () => {
    await page.keyboard.press("m");
    const field = page.getByRole("textbox", { name: /^Comment/ });
    await expect(field).toBeFocused();
    await page.keyboard.type("Is the credit right?");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(region(page, "Comments").getByText("Is the credit right?")).toBeVisible();
    await expect(field).toHaveValue("");
  });

  await test.step("an edit shows its diff before sending, then replaces the request", async () => {
    await pressOn(page, page.getByRole("button", { name: /^Edit/ }));
    const dialog = page.getByRole("dialog", { name: "Edit proposal" });
    await expect(dialog.getByText("No changes yet.").first()).toBeVisible();
    await typeInto(page, dialog.getByLabel(/credit_cents/), "1200");
    await expect(region(page, "Changes to the proposal").getByText("1200")).toBeVisible();
    await expect(dialog.getByText(/Someone else must approve it/)).toBeVisible();
    await expectAccessible(page, "the edit");
    await pressOn(page, dialog.getByRole("button", { name: "Submit edit" }));
    await expect(page.getByText("Superseded", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Approve/ })).toHaveAttribute("aria-disabled", "true");
    await pressOn(page, page.getByRole("button", { name: "View changes" }));
    await expect(page.getByRole("dialog").getByText("1200")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("the new gate shows the interdiff, and its editor can't decide", async () => {
    await pressOn(page, page.getByRole("link", { name: "Go to the new request" }));
    await expect(page).not.toHaveURL(asked);
    const interdiff = region(page, "Changes since the previous request");
    await expect(interdiff.getByText("1200")).toBeVisible();
    await expect(page.getByText(/who can't approve it/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Approve/ })).toHaveAttribute("aria-disabled", "true");
    await expectAccessible(page, "the interdiff");
  });

  await test.step("a second reviewer approves exactly that", async () => {
    const edited = page.url();
    const other = await pageOf(browser, baseURL);
    await signInByKeyboard(other, "second reviewer");
    await other.goto(edited);
    await seeAll(other);
    await expect(other.getByRole("button", { name: /^Approve/ })).not.toHaveAttribute("aria-disabled", "true");
    await decideByKeys(other, "approve");
    await expect(other.getByText("Approved", { exact: true })).toBeVisible();
    await other.goto(await runOf(other));
    await expect(other.getByLabel("Run status")).toContainText("Completed");
  });
});

test("an auditor reveals a hidden value on record; it matches its commitment and disappears on reload", async ({
  page,
  browser,
  baseURL,
}) => {
  const starter = await pageOf(browser, baseURL);
  await signInAs(starter, "builder");
  await startRun(starter, /^Scripted: honest/);
  await signInAsAuditor(page);
  await page.goto("/");
  await openFromQueue(page);
  const shown = region(page, "For comparison");
  await expect(shown.getByText("hidden from your role").first()).toBeVisible();
  await expect(page.getByText('"cus_')).toHaveCount(0);

  await pressOn(page, shown.getByRole("button", { name: /^Reveal / }));
  const dialog = page.getByRole("dialog", { name: "Reveal a hidden value" });
  await expect(dialog.getByRole("button", { name: "Record and reveal" })).toHaveAttribute("aria-disabled", "true");
  await typeInto(page, dialog.getByLabel("Reason"), "A complaint about this decision");
  await pressOn(page, dialog.getByRole("button", { name: "Record and reveal" }));
  await expect(dialog.getByText("Matches the commitment", { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^Record \d+ logs that you opened this value/)).toBeVisible();
  await expectAccessible(page, "the revealed value");
  const words = (await dialog.getByRole("region", { name: "The value" }).locator("pre").innerText()).trim();
  expect(words.length).toBeGreaterThan(2);

  await page.reload();
  await expect(shown.getByText("hidden from your role").first()).toBeVisible();
  expect(await page.content()).not.toContain(words);
});

test("a rejection takes its declared path, by keys alone", async ({ page, browser, baseURL }) => {
  const starter = await pageOf(browser, baseURL);
  await signInAs(starter, "builder");
  await startRun(starter, /^Scripted: honest/);
  await signInByKeyboard(page, "reviewer");
  await openFromQueue(page);
  const foreseen = region(page, "What happens if I reject?").getByText(/^The run (?:continues at|ends as)/);
  const [, ends] = /^The run ends as (\w+)/u.exec(await foreseen.innerText()) ?? [];
  await decideByKeys(page, "reject", "Not what the sender asked for");
  await expect(page.getByText("Rejected", { exact: true })).toBeVisible();
  await page.goto(await runOf(page));
  await expect(page.getByLabel("Run status")).toContainText(new RegExp(ends ?? "Completed", "iu"));
});
