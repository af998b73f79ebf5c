import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 240_000 });

const mintToken = async (page: Page, name: string): Promise<string> => {
  await page.goto("/connect?show=tokens");
  await page.getByRole("button", { name: "New token…" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create token" }).press("Enter");
  const shown = page.getByRole("dialog", { name: "Copy the token now" }).getByText(/^cs_[A-Za-z0-9_-]{43}$/);
  const token = (await shown.textContent()) ?? "";
  // The token cannot be shown again.
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await expect(page.getByText(token)).toHaveCount(0);

  return token;
};

const endpoint = async (page: Page): Promise<string> => {
  await page.goto("/connect");
  await expect(page.getByRole("heading", { name: "Endpoint" })).toBeVisible();

  return (await page.getByText(/^http:\/\/localhost:\d+\/api\/mcp\//).textContent()) ?? "";
};

const listTools = (page: Page, url: string, token: string) =>
  page.request.post(url, {
    headers: { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
    data: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
  });

const inputs = (page: Page) => page.getByLabel("Inputs");
const take = (page: Page) => page.getByRole("button", { name: "Take action" });
/** So that the form shows the newest. */
const answered = async (page: Page, calls: number) => {
  const messages = page.getByRole("list", { name: "Messages, newest first" });
  await expect(messages.getByRole("listitem")).toHaveCount(calls, { timeout: 60_000 });

  return messages;
};
const chooseAction = async (page: Page, action: string) => {
  await page.getByLabel("Action", { exact: true }).click();
  await page.getByRole("option", { name: action, exact: true }).click();
};

test("shows a token once, opens its endpoint, and closes it on revocation", async ({ page }) => {
  await signInAs(page, "builder");
  const token = await mintToken(page, "Desk agent");
  const url = await endpoint(page);
  expect((await listTools(page, url, "cs_none")).status()).toBe(401);
  const listed = await listTools(page, url, token);
  expect(listed.status()).toBe(200);
  expect(await listed.text()).toContain("request_approval");

  await page.goto("/connect?show=tokens");
  await page.getByRole("button", { name: "Revoke Desk agent" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByRole("row", { name: /Desk agent/ })).toContainText("Revoked");
  expect((await listTools(page, url, token)).status()).toBe(401);
});

test("the console drives the refund desk by legal steps, explains illegal ones, and shows the wire", async ({ page }) => {
  await signInAs(page, "builder");
  await mintToken(page, "By hand");
  await page.goto("/connect/console");
  await page.getByRole("button", { name: "List legal actions" }).click();
  await answered(page, 1);
  await expect(page.getByLabel("Action", { exact: true })).toContainText("look_up");
  await inputs(page).fill("{");
  await expect(page.getByText("Enter a JSON object.")).toBeVisible();
  await expect(take(page)).toBeDisabled();
  await inputs(page).fill(`{"order_id": "ord_2001"}`);
  await take(page).click();
  await answered(page, 2);
  await chooseAction(page, "propose_refund");
  await page.getByRole("button", { name: "List legal and blocked actions" }).click();
  await expect(await answered(page, 3)).toContainText("no_way_from_here");

  await page.reload();
  await page.getByRole("button", { name: "List legal actions" }).click();
  await answered(page, 1);
  await chooseAction(page, "close");
  await take(page).click();
  await answered(page, 2);
  await expect(page.getByText("None: the run has ended.")).toBeVisible();
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(await answered(page, 3)).toContainText("head_hash");

  await page.goto("/connect?show=sessions");
  await expect(page.getByRole("row", { name: /By hand/ })).toContainText("run completed");
});

test("tells people that they lack the permission, and axe finds nothing in light and dark", async ({ page }) => {
  await signInAs(page, "viewer");
  await page.goto("/connect");
  await expect(page.getByRole("heading", { level: 1, name: "You don't have access to outside agents." })).toBeVisible();

  await signInAs(page, "builder");
  await mintToken(page, "Looked at");
  for (const path of ["/connect", "/connect?show=tokens", "/connect?show=sessions", "/connect?show=forks", "/connect/console"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    if (path === "/connect/console") {
      await page.getByRole("button", { name: "List legal actions" }).click();
      await expect(take(page)).toBeVisible();
    }
    await expectAccessible(page, path);
  }
});
