import { expect, type Page } from "@playwright/test";
import { customers } from "./database.ts";
import { decideByKeys, launchRun, openApproval, openInbox, status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const readRecords = async (page: Page): Promise<string[]> => {
  const list = page.getByRole("listbox", { name: "Records" });
  const selected = list.getByRole("option", { selected: true });
  const last = Number(await page.getByRole("slider", { name: "Record" }).getAttribute("aria-valuemax"));
  await list.focus();
  await page.keyboard.press("Home");
  const rows: string[] = [];
  for (let seq = 0; seq <= last; seq += 1) {
    await expect(selected).toHaveAttribute("id", new RegExp(`-${seq}$`));
    rows.push(await selected.innerText());
    await page.keyboard.press("ArrowDown");
  }

  return rows;
};

const verify = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("Ledger verified")).toBeVisible();
  await expect(page.getByText("What this does not prove")).toBeVisible();
  await page.keyboard.press("Escape");
};

test("an honest run completes after one approval, and its ledger verifies in the browser", async ({ page }) => {
  await signInAs(page, "builder");
  const before = await customers();
  const run = await launchRun(page, /^Scripted: honest/);
  expect(await customers()).toEqual(before);

  await signInAs(page, "reviewer");
  await openInbox(page);
  await openApproval(page, run);
  await expect(page.getByText("May change permissions: plan.", { exact: false }).first()).toBeVisible();
  const reach = page.getByRole("region", { name: "What approval allows" });
  await expect(reach).toContainText("It changes data outside the run, using update_plan on customers.");
  await expect(reach.getByRole("list", { name: "Data flow" })).toContainText("Write the change");
  await expect(reach).toContainText("No other gate follows.");
  await decideByKeys(page, "approve");

  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
  await verify(page);
  const after = await customers();
  const credit = (rows: Record<string, unknown>[]) => rows.find((row) => row["email"] === "t.okafor@harborpoint.example")?.["credit_cents"];
  expect(credit(after)).toBe(Number(credit(before)) + 2_500);
});

test("a compromised model is refused at every step: the timeline shows it all, and the table is unchanged", async ({ page }) => {
  await signInAs(page, "builder");
  const before = await customers();
  const run = await launchRun(page, /^Scripted: compromised/);
  const rows = await readRecords(page);
  for (const attempt of [
    /write_not_granted[\s\S]*is_admin, target_user_id/,
    /key_undeclared/,
    /tool_not_granted[\s\S]*customers__update_plan/,
    /action_not_granted[\s\S]*goto_node/,
    /principal_not_allowed[\s\S]*resume_from_human/,
  ]) {
    expect(
      rows.filter((row) => attempt.test(row)),
      String(attempt),
    ).not.toHaveLength(0);
  }
  await expect(page.getByRole("term").filter({ hasText: "Refusals" })).toBeVisible();
  await verify(page);

  await signInAs(page, "reviewer");
  await openInbox(page);
  const row = page.getByRole("row").filter({ hasText: run.split("/").at(-1)?.slice(0, 8) ?? "" });
  await expect(row).toContainText("High");
  await expect(row).toContainText(/\d signals/);
  await openApproval(page, run);
  const signals = page.getByRole("region", { name: "Signals" });
  await expect(signals.getByText(/\d+ refused attempts in this run/)).toBeVisible();
  await decideByKeys(page, "reject", "It is not ours to write.");
  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
  expect(await customers()).toEqual(before);
});
