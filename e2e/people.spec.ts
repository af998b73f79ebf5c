import { expect, type Browser, type Page } from "@playwright/test";
import { inspect } from "./axe.ts";
import { ageProofs } from "./database.ts";
import { startRun } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const PASSWORD = "tides keep no secrets";
const person = (name: string) => ({ name, email: `${name.toLowerCase().replaceAll(" ", ".")}.${Date.now()}@harborpoint.example` });

const openPeople = async (page: Page): Promise<void> => {
  await page.goto("/admin/people");
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();
};

const invite = async (page: Page, email: string, role: string): Promise<string> => {
  await openPeople(page);
  await page.getByRole("button", { name: "Invite…" }).click();
  const form = page.getByRole("dialog", { name: "Invite someone" });
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Role").click();
  await page.getByRole("option", { name: role, exact: true }).click();
  await form.getByRole("button", { name: "Create link" }).click();
  const shown = page.getByRole("dialog", { name: "Copy the link now" });
  const link = await shown.getByText("/join?token=").innerText();
  await shown.getByRole("button", { name: "Done" }).click();

  return link;
};

const join = async (browser: Browser, link: string, { name, email }: ReturnType<typeof person>): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await page.getByRole("button", { name: "Skip for now" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();

  return page;
};

const manage = async (page: Page, name: string) => {
  await page.getByRole("button", { name: `Manage ${name}` }).click();

  return page.getByRole("dialog", { name });
};

test("a person is invited by a single-use link, changes role, and is signed out live", async ({ page, browser }) => {
  const vera = person("Vera Quill");
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAs(page, "admin");
  const link = await invite(page, vera.email, "viewer");
  const guest = await test.step("the link makes one account only", async () => {
    const before = await (await browser.newContext()).newPage();
    await before.goto(link);
    await inspect(before, /Join/);
    await before.close();
    const inside = await join(browser, link, vera);
    const late = await (await browser.newContext()).newPage();
    await late.goto(link);
    await expect(late.getByRole("heading", { level: 1, name: "This link doesn't work" })).toBeVisible();
    await late.close();

    return inside;
  });

  await test.step("a new role applies from the next request", async () => {
    await page.reload();
    const dialog = await manage(page, vera.name);
    await expect(dialog.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(2);
    await dialog.getByLabel("Role").click();
    await page.getByRole("option", { name: "reviewer" }).click();
    await dialog.getByRole("button", { name: "Save role" }).click();
    await expect(page.getByText(`${vera.name} is now reviewer.`).first()).toBeVisible();
    await guest.reload();
    await expect(guest.getByRole("button", { name: /reviewer/ }).first()).toBeVisible();
  });

  await test.step("after a global sign-out, a live run page goes to sign-in", async () => {
    await guest.goto(run);
    await expect(guest.getByRole("heading", { level: 1 })).toBeVisible();
    const dialog = page.getByRole("dialog", { name: vera.name });
    await dialog.getByRole("button", { name: "End all…" }).click();
    await page.getByRole("button", { name: "End all sessions" }).click();
    await expect(dialog.getByText("No open sessions.")).toBeVisible();
    await expect(guest).toHaveURL(/\/sign-in/, { timeout: 30_000 });
  });

  await test.step("a disabled person can't return", async () => {
    const dialog = page.getByRole("dialog", { name: vera.name });
    await dialog.getByRole("button", { name: "Disable…" }).click();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await expect(dialog.getByRole("button", { name: "Enable…" })).toBeVisible();
    await guest.goto("/sign-in");
    await guest.getByLabel("E-mail").fill(vera.email);
    await guest.getByLabel("Password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(guest.getByRole("alert").filter({ hasText: "Sign-in failed." })).toBeVisible();
  });
});

test("sensitive actions ask for the password when the last proof is old; cancelling does nothing", async ({ page, browser }) => {
  const [ada, ned] = [person("Ada Second"), person("Ned Newcomer")];
  await signInAs(page, "admin");
  const admin = await join(browser, await invite(page, ada.email, "admin"), ada);
  await ageProofs(ada.email);

  await openPeople(admin);
  await admin.getByRole("button", { name: "Invite…" }).click();
  const form = admin.getByRole("dialog", { name: "Invite someone" });
  await form.getByLabel("E-mail").fill(ned.email);
  await form.getByRole("button", { name: "Create link" }).click();
  const question = admin.getByRole("dialog", { name: "Confirm your identity" });
  await expect(question.getByLabel("Password")).toBeFocused();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(form.getByText("Confirm your identity to continue.")).toBeVisible();
  await expect(form.getByLabel("E-mail")).toHaveValue(ned.email);

  await form.getByRole("button", { name: "Create link" }).click();
  await question.getByLabel("Password").fill("not the password");
  await admin.keyboard.press("Enter");
  await expect(question.getByText("The password is incorrect.")).toBeVisible();
  await question.getByLabel("Password").fill(PASSWORD);
  await admin.keyboard.press("Enter");
  await expect(admin.getByRole("dialog", { name: "Copy the link now" })).toBeVisible();
  await admin.getByRole("button", { name: "Done" }).click();
  await admin.getByRole("tab", { name: /^Invites/ }).click();
  await expect(admin.getByRole("row").filter({ hasText: ned.email })).toHaveCount(1);
  await inspect(admin, /People/);
});

test("people can't change their own role; a new password ends the other sessions", async ({ page, browser }) => {
  const olga = person("Olga Own");
  await signInAs(page, "admin");
  const here = await join(browser, await invite(page, olga.email, "admin"), olga);
  const there = await (await browser.newContext()).newPage();
  await there.goto("/sign-in?to=/settings");
  await there.getByLabel("E-mail").fill(olga.email);
  await there.getByLabel("Password").fill(PASSWORD);
  await there.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(there.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();

  await openPeople(here);
  await inspect(here, /People/);
  const own = await manage(here, olga.name);
  await expect(own.getByRole("button", { name: "Save role" })).toHaveAttribute("aria-disabled", "true");
  await expect(own.getByRole("button", { name: "Disable…" })).toHaveAttribute("aria-disabled", "true");
  await here.keyboard.press("Escape");

  await here.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(here.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(3);
  await inspect(here, /Settings/);
  await here.getByLabel("Current password").fill(PASSWORD);
  await here.getByLabel("New password").fill("another sentence of words");
  await here.getByRole("button", { name: "Change password" }).click();
  await expect(here.getByText("Password changed.").first()).toBeVisible();
  await expect(here.getByRole("table", { name: "Sessions" }).getByRole("row")).toHaveCount(2);
  await there.reload();
  await expect(there).toHaveURL(/\/sign-in/);
});

test("non-admins find the page named, closed and explained", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/admin/people");
  await expect(page.getByRole("button", { name: "People", exact: true })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("heading", { level: 1, name: "You don't have access to people." })).toBeVisible();
});
