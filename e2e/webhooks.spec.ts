import { expect, type Page } from "@playwright/test";
import { answer, openReceiver, checkVerification, type Received, type Receiver } from "../server/notify/testing/receiver.ts";
import { faultsOf, inspect } from "./axe.ts";
import { startRun } from "./desk.ts";
import { receiverPort } from "./home.ts";
import { goTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

// One receiver address.
test.describe.configure({ mode: "serial", timeout: 240_000 });

let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await openReceiver(receiverPort());
});
test.afterAll(() => receiver.close());

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const secretIn = async (page: Page): Promise<string> => {
  const shown = dialog(page, "Copy the secret now").getByText(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const secret = (await shown.textContent()) ?? "";
  // The secret cannot be shown again.
  await page.keyboard.press("Escape");
  await expect(shown).toBeVisible();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await expect(page.getByText(secret)).toHaveCount(0);

  return secret;
};

/** @returns its secret, shown once */
const addEndpoint = async (page: Page, path: string): Promise<string> => {
  await page.goto("/");
  await goTo(page, "w", /\/admin\/webhooks$/);
  await page.getByRole("button", { name: "Add endpoint…" }).press("Enter");
  const form = dialog(page, "Add a webhook endpoint");
  await form.getByLabel("Address").fill("http://169.254.169.254/latest/meta-data/");
  await form.getByLabel("Description").fill("The team's channel");
  await page.getByRole("button", { name: "Add endpoint", exact: true }).press("Enter");
  await expect(form.getByRole("alert")).toContainText("not public");
  await form.getByLabel("Address").fill(`${receiver.origin}${path}`);
  await page.getByRole("button", { name: "Add endpoint", exact: true }).press("Enter");
  const secret = await secretIn(page);
  await page.waitForURL(/\/admin\/webhooks\/[0-9a-f-]{36}/);

  return secret;
};

const arrived = async (what: (one: Received) => boolean): Promise<Received> => {
  await expect.poll(() => receiver.received.some(what), { timeout: 30_000 }).toBe(true);

  const found = receiver.received.find(what);
  if (!found) throw new Error("what arrived is gone");

  return found;
};

const rows = (page: Page) => page.getByRole("table", { name: "Deliveries" }).getByRole("row");

test("a pending approval sends a signed, content-free notification whose link works after sign-in", async ({ page }) => {
  await signInAs(page, "admin");
  const secret = await addEndpoint(page, "/gate");
  await page.getByRole("button", { name: "Send test" }).press("Enter");
  await expect(rows(page).nth(1)).toContainText("Delivered");
  await expect(rows(page).nth(1)).toContainText("204");
  expect(checkVerification(secret, await arrived(({ path }) => path === "/gate"))).toMatchObject({ type: "webhook.test" });

  await signInAs(page, "builder");
  const run = (await startRun(page, /^Scripted: honest/)).split("/").at(-1) ?? "";
  const told = await arrived(({ path, body }) => path === "/gate" && body.includes("approval.requested") && body.includes(run));
  const { data } = checkVerification(secret, told) as { data: Record<string, string> };
  expect(Object.keys(data).toSorted()).toEqual([
    "approval_id",
    "authority",
    "expires_at",
    "graph_id",
    "graph_name",
    "link",
    "node",
    "opened_at",
    "reason",
    "role",
    "run_id",
    "workspace_id",
  ]);
  expect(told.body).not.toMatch(/Shall this change|@example|plan_|outage/i);

  // The link's reader is not signed in.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto(data["link"] ?? "");
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await page.getByRole("button", { name: /Continue as reviewer/ }).click();
  await expect(page).toHaveURL(new RegExp(`/approvals/${data["approval_id"]}$`));
  await expect(page.getByText("Shall this change be written").first()).toBeVisible();
});

test("a failing endpoint says how; retry, secret rotation, switching off and removal work", async ({ page }) => {
  await signInAs(page, "admin");
  const old = await addEndpoint(page, "/fails");
  receiver.answerWith(answer(500));
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(rows(page).nth(1)).toContainText("500: The endpoint responded with an error.");
  await expect(rows(page).nth(1)).toContainText("Failed");
  await expect(page.getByText(/The last (?:attempt|\d+ attempts) failed/u)).toBeVisible();

  receiver.answerWith(answer(204));
  await page.getByRole("button", { name: "Rotate secret…" }).click();
  await page.getByRole("button", { name: "Rotate secret", exact: true }).click();
  const secret = await secretIn(page);
  await expect(page.getByText("Two secrets are active")).toBeVisible();
  await page.getByRole("button", { name: /^Resend [0-9a-f]{8}$/ }).click();
  await expect(rows(page).nth(1)).toContainText("Delivered");
  const again = receiver.received.filter(({ path }) => path === "/fails");
  expect(again.map(({ headers }) => headers["webhook-id"])).toEqual([again[0]?.headers["webhook-id"], again[0]?.headers["webhook-id"]]);
  const second = await arrived((one) => one === again[1]);
  for (const each of [old, secret]) expect(checkVerification(each, second)).toMatchObject({ type: "webhook.test" });

  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Nothing is sent to this endpoint")).toBeVisible();
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Nothing is sent to this endpoint")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove endpoint" }).click();
  await page.waitForURL(/\/admin\/webhooks$/);
  await expect(page.getByText(`${receiver.origin}/fails`)).toHaveCount(0);
});

test("access to webhooks is explained; read-only people can't change any; axe finds nothing", async ({ page }) => {
  await signInAs(page, "viewer");
  await page.goto("/admin/webhooks");
  await expect(page.getByRole("heading", { level: 1, name: "You don't have access to webhooks." })).toBeVisible();

  await signInAs(page, "reviewer");
  await page.goto("/admin/webhooks");
  await expect(page.getByRole("link", { name: receiver.origin, exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add endpoint…" })).toBeDisabled();

  await signInAs(page, "admin");
  await page.goto("/admin/webhooks");
  await inspect(page, /Webhooks/);
  await page.getByRole("button", { name: "Add endpoint…" }).click();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: `${receiver.origin}/gate` }).click();
  await expect(rows(page).nth(1)).toBeVisible();
  await inspect(page, /Webhook endpoint/);
  await page.getByLabel("Show deliveries").click();
  await page.getByRole("option", { name: "Dropped" }).click();
  await expect(page.getByText("No matching deliveries")).toBeVisible();
  await page.goto("/admin/webhooks/00000000-0000-4000-8000-000000000001");
  await expect(page.getByText("Endpoint not found")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
});
