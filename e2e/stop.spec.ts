import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { addPerson, foundOwnWorkspace, PASSWORD, signInBy } from "./own-workspace.ts";
import { leavePages } from "./people.ts";
import { test } from "./test.ts";
import { mutate, query } from "./wire.ts";

test("an admin stops all work, every page says so, and resumes it", async ({ page }) => {
  const banner = page.getByText("All work is stopped", { exact: true });
  await foundOwnWorkspace(page);
  await page.goto("/settings");
  await expect(page.getByRole("heading", { name: "Stop all work" })).toBeVisible();
  await expect(banner).toBeHidden();
  await page.getByRole("button", { name: "Stop all work…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop all work", exact: true }).click();
  await expect(banner).toBeVisible();
  await page.goto("/runs");
  await expect(banner).toBeVisible();
  await page.goto("/settings");
  await page.getByRole("button", { name: "Resume work…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume work", exact: true }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole("button", { name: "Stop all work…" })).toBeVisible();
});

const switcher = (page: Page, name: string) => page.getByRole("button", { name: `${name}, switch workspace` });

test("one account works in two workspaces, whose tabs and links never mix", async ({ page, browser }) => {
  await foundOwnWorkspace(page);
  const [wanda, noor] = ["wanda", "noor"].map((name) => `${name}.${Date.now()}@harborpoint.example`) as [string, string];
  await addPerson(page, noor, "builder", "Noor Marsh");
  const { token } = await mutate<{ token: string }>(page, "people.invite", { email: wanda, role: "admin", auditor: false });
  await mutate(page, "join.accept", { token, name: "Wanda Marsh", password: PASSWORD });
  await leavePages(page);
  await signInBy(page, wanda);
  const { workspace: harbor } = await query<{ workspace: { id: string } }>(page, "session.current", undefined);

  await test.step("an admin creates a workspace, and only then has a switcher", async () => {
    await page.goto("/settings");
    await page.getByRole("button", { name: "New workspace…" }).click();
    await expect(switcher(page, "Harbor Point")).toBeHidden();
    await page.getByLabel("Workspace", { exact: true }).fill("Night Shift");
    await page.getByRole("button", { name: "Create workspace" }).click();
    await expect(switcher(page, "Night Shift")).toBeVisible();
  });
  const other = await page.context().newPage();
  await other.goto("/admin/people");
  await other.getByRole("button", { name: "Invite…" }).click();
  await other.getByLabel("E-mail").fill(noor);

  await test.step("switching with the keyboard makes the other tab say so", async () => {
    await switcher(page, "Night Shift").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: /Night Shift.*admin/u })).toBeVisible();
    await page.keyboard.type("Harbor");
    await page.keyboard.press("Enter");
    await expect(switcher(page, "Harbor Point")).toBeVisible();
    await expect(other.getByRole("dialog", { name: "You switched workspaces in another tab" })).toBeVisible();
  });

  const link = await test.step("going on there keeps the input, and the proof of identity is asked for again", async () => {
    await other.getByRole("button", { name: "Continue in Night Shift" }).click();
    await expect(other.getByLabel("E-mail")).toHaveValue(noor);
    await other.getByRole("button", { name: "Create link" }).click();
    const question = other.getByRole("dialog", { name: "Confirm your identity" });
    await question.getByLabel("Password").fill(PASSWORD);
    await question.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("dialog", { name: "You switched workspaces in another tab" })).toBeVisible();

    return other.getByText("/join?token=").innerText();
  });

  await test.step("a link opens in its own workspace after a click, and in none of others", async () => {
    await page.goto(`/runs?workspace=${harbor.id}`);
    await page.getByRole("button", { name: "Open in Harbor Point" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
    await expect(switcher(page, "Harbor Point")).toBeVisible();
    await page.goto(`/runs?workspace=${randomUUID()}`);
    await expect(page.getByRole("heading", { name: "This link opens in another workspace" })).toBeVisible();
  });

  await test.step("an invite to an address with an account joins that account after a sign-in", async () => {
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(link);
    await guest.getByLabel("Password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Sign in and join Night Shift" }).click();
    await guest.getByRole("button", { name: "Skip for now" }).click();
    await expect(switcher(guest, "Night Shift")).toBeVisible();
    await guest.context().close();
  });
});
