import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { customers } from "./database.ts";
import { decideByKeys, startRun, status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const OTHER_REQUEST = {
  email: "t.okafor@harborpoint.example",
  wish: "credit",
  plan: "none",
  credit_cents: 4_000,
  summary: "Asks for another credit.",
};

const choose = async (page: Page, field: string, option: RegExp | string): Promise<void> => {
  await page.getByRole("dialog").getByLabel(field, { exact: true }).click();
  await page.getByRole("option", { name: option, exact: typeof option === "string" }).click();
};

const select = async (page: Page, row: RegExp): Promise<void> => {
  const list = page.getByRole("listbox", { name: "Records" });
  await list.focus();
  await page.keyboard.press("Home");
  await list.getByRole("option", { name: row }).click();
  await expect(list.getByRole("option", { name: row })).toHaveAttribute("aria-selected", "true");
};

test("a fork with another memory value is a simulation that asks again and changes no account", async ({ page }) => {
  test.setTimeout(240_000);
  await signInAs(page, "builder");
  const before = await customers();
  const parent = await startRun(page, /^Scripted: honest/);

  await select(page, /Completed Find the customer/);
  const opener = page.getByRole("button", { name: "Fork from here" });
  await opener.click();
  await expect(page.getByRole("dialog", { name: /^Fork after record \d+$/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(opener).toBeFocused();

  await opener.click();
  await choose(page, "Change", "Value in memory");
  await choose(page, "Path", "request");
  const value = page.getByLabel("Value (JSON)");
  await expect(value).toHaveValue(/"credit_cents": 2500/);
  await expect(page.getByText("Approvals are not inherited.", { exact: false })).toBeVisible();
  await expect(page.getByRole("region", { name: "Maximum cost of the fork" })).toContainText(
    "Shared records are not repeated and cost nothing",
  );
  await expectAccessible(page, "the fork dialog");
  await value.fill(JSON.stringify(OTHER_REQUEST));
  await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).click();
  await page.waitForURL((url) => /^\/runs\/[0-9a-f-]{36}$/u.test(url.pathname) && url.pathname !== parent);
  const fork = new URL(page.url()).pathname;
  await expect(page.getByText("Simulation: no tools are called")).toBeVisible();
  await expect(page.getByText(/forked from/)).toContainText(parent.slice(6, 14));
  await expect(status(page)).toContainText("Waiting");

  await expect(page.getByText(/^Identical through record \d+, verified by digest in this browser$/)).toBeVisible();
  await test.step("the parent still waits, and the comparison names the changed value", async () => {
    await page.getByRole("link", { name: "Compare with parent" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Compare runs" })).toBeVisible();
    await expect(page.getByText(/^Run B is a simulated fork of run A after record \d+/)).toBeVisible();
    await expect(page).toHaveURL(/compare=/);
    for (const fact of ["Run", "Model", "Status", "Cost"]) {
      const cells = page
        .getByRole("row")
        .filter({ has: page.getByRole("rowheader", { name: fact, exact: true }) })
        .getByRole("cell");
      await expect(cells).toHaveText([/\w/u, /\w/u]);
    }
    const request = page.getByRole("region", { name: "Final memory" }).getByRole("listitem").filter({ hasText: "request" });
    await expect(request).toContainText('"credit_cents": 2500');
    await expect(request).toContainText('"credit_cents": 4000');
    await expectAccessible(page, "the comparison");
    await page.goto(parent);
    await expect(status(page)).toContainText("Waiting");
  });

  await test.step("a person with full access sees the first difference; even approved, the fork calls nothing", async () => {
    await signInAs(page, "reviewer");
    await page.goto(fork);
    await page.getByRole("link", { name: /^Waiting for a/ }).click();
    await page.waitForURL("**/approvals/*");
    await expect(page.getByText("Simulated: no tool is called, whatever you decide.", { exact: true })).toBeVisible();
    await decideByKeys(page, "approve");
    await page.goto(`${parent}?compare=${fork.slice("/runs/".length)}`);
    await expect(page.getByRole("region", { name: "Run A" })).toBeVisible();
    await expect(
      page.getByText(/^The first \d+ records are identical\. The first difference is a value: record \d+ in run A/),
    ).toBeVisible();
    await page.goto(fork);
    // No record of the change, so the next attempt asks again.
    await expect(page.getByRole("option", { name: /simulated, tool not called/ }).first()).toBeVisible();
    expect(await customers()).toEqual(before);
  });
});

test("the reason for a tainted path names the source and each node on the way", async ({ page }) => {
  test.setTimeout(240_000);
  await signInAs(page, "builder");
  await startRun(page, /^Scripted: honest/);
  const why = page.getByRole("button", { name: "Why? request is tainted" });
  await why.click();
  const dialog = page.getByRole("dialog", { name: "Why request is tainted" });
  await expect(dialog.getByRole("heading", { name: "mcp:filesystem/read_text_file" })).toBeVisible();
  await expect(
    dialog
      .getByRole("listitem")
      .filter({ hasText: /in Understand the request, wrote this value/ })
      .first(),
  ).toBeVisible();
  await expectAccessible(page, "the dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(why).toBeFocused();
  await expect(page.getByRole("button", { name: "Why? mail_file is tainted" })).toHaveCount(0);
});
