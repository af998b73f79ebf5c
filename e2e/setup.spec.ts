import { expect, type Page } from "@playwright/test";
import { setupLink } from "./home.ts";
import { test } from "./test.ts";

test.use({ beginning: "empty" });

const ADMIN = { name: "Ada Marsh", email: "ada@harborpoint.example", password: "tides keep no secrets", workspace: "Harbor Point" };

const setupPath = (): string => {
  const { pathname, search } = new URL(setupLink());

  return `${pathname}${search}`;
};

const signIn = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel("E-mail").fill(ADMIN.email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

test("an unknown link opens nothing", async ({ page }) => {
  await page.goto(`/setup?token=${"x".repeat(43)}`);
  await expect(page.getByRole("heading", { level: 1, name: "This link doesn't work" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create admin account" })).toHaveCount(0);
});

test("the printed link creates the first admin once, who then signs in by password", async ({ page, baseURL }) => {
  const link = setupPath();

  await test.step("faults are marked at their fields, and input stays", async () => {
    await page.goto(link);
    await page.getByLabel("Your name").fill(ADMIN.name);
    await page.getByLabel("E-mail").fill("ada at harborpoint");
    await page.getByLabel("Password").fill("too short");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await expect(page.getByText("Enter an e-mail address.")).toBeVisible();
    await expect(page.getByText("At least 12 characters.", { exact: true })).toBeVisible();
    await expect(page.getByText("Enter a workspace name.")).toBeVisible();
    await expect(page.getByLabel("E-mail")).toBeFocused();
    await expect(page.getByLabel("Your name")).toHaveValue(ADMIN.name);
    await expect(page.getByLabel("E-mail")).toHaveValue("ada at harborpoint");
    await expect(page.getByLabel("Password")).toHaveValue("too short");
  });

  await test.step("by keyboard alone", async () => {
    await page.getByLabel("E-mail").fill(ADMIN.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press("Tab");
    await page.keyboard.type(ADMIN.workspace);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Create your passkey" })).toBeVisible();
    await page.getByRole("button", { name: "Skip for now" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await expect(page.getByText(`${ADMIN.workspace}, as admin`)).toBeVisible();
  });

  await test.step("signing out ends the session", async () => {
    await page.getByRole("button", { name: ADMIN.name }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await page.goto("/graphs");
    await expect(page).toHaveURL(/\/sign-in/);
  });

  await test.step("the link is used up, on the page and on the wire", async () => {
    await page.goto(link);
    await expect(page.getByText("The link was used, has expired or is incomplete.")).toBeVisible();
    const { workspace: workspaceName, ...person } = ADMIN;
    const answer = await page.request.post("/api/trpc/setup.createAdmin", {
      headers: { "content-type": "application/json", origin: baseURL ?? "" },
      data: { ...person, workspaceName, email: "second@harborpoint.example", token: new URL(link, baseURL).searchParams.get("token") },
    });
    expect(answer.status()).toBe(403);
    expect(await answer.text()).toContain("setup_link_invalid");
    await page.getByRole("link", { name: "sign in" }).click();
  });

  await test.step("a wrong password and an unknown address get the same answer", async () => {
    await signIn(page, `${ADMIN.password}!`);
    const alert = page.getByRole("alert").filter({ hasText: "Sign-in failed." });
    await expect(alert).toBeVisible();
    const known = await alert.innerText();
    await expect(page.getByLabel("E-mail")).toHaveValue(ADMIN.email);
    await expect(page.getByLabel("Password")).toHaveValue("");

    await page.reload();
    await expect(alert).toHaveCount(0);
    await page.getByLabel("E-mail").fill("stranger@harborpoint.example");
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(alert).toBeVisible();
    expect(await alert.innerText()).toBe(known);
  });

  await test.step("the right password signs in", async () => {
    await signIn(page, ADMIN.password);
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await expect(page.getByText(`${ADMIN.workspace}, as admin`)).toBeVisible();
  });
});
