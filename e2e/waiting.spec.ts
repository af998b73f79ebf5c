import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { expectAccessible } from "./axe.ts";
import { pressUntil } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";

const documentOf = (name: string): GraphInput => ({
  format: "countersign/graph/v1",
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  memory: [{ key: "note", schema: { type: "string" } }],
  nodes: [
    {
      id: "ask",
      kind: "approval",
      title: "Ask",
      config: { prompt: `May ${name} go on?`, expiry_node: "late", escalation: { after_ms: 3_600_000, to: "admins" } },
    },
    { id: "late", kind: "transform", title: "Ask the desk", write_keys: ["note"], config: { set: [{ path: "note", value: '"late"' }] } },
  ],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask", "late"],
});

const ask = async (page: Page, name: string): Promise<void> => {
  await signInAs(page, "second builder");
  const { hash } = await publish(page, documentOf(name), name);
  await startVersion(page, hash);
};

const row = (page: Page, name: string) => page.getByRole("link", { name: `May ${name} go on?` });
const inbox = async (page: Page, name: string): Promise<void> => {
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
};
const open = async (page: Page, name: string): Promise<void> => {
  await row(page, name).click();
  await page.waitForURL("**/approvals/*");
};
const waitingNotes = (page: Page) => page.getByRole("list", { name: "Waiting" });

test("a request is snoozed by keys, found under Snoozed, and shown again", async ({ page }) => {
  const name = `Snoozed ${Date.now()}`;
  await ask(page, name);
  await signInAs(page, "reviewer");
  await inbox(page, name);
  await expect(row(page, name)).toBeVisible();
  await pressUntil(page, "j", page.locator("tr[data-current]"));
  const dialog = page.getByRole("dialog", { name: "Snooze this request" });
  await pressUntil(page, "s", dialog);
  await expectAccessible(page, "the snooze dialog");
  await dialog.getByRole("button", { name: "Snooze", exact: true }).click();
  await expect(page.getByText("1 request snoozed").first()).toBeVisible();
  await expect(row(page, name)).toHaveCount(0);

  await page.getByRole("button", { name: /^Snoozed \d+/ }).click();
  await expect(page).toHaveURL(/aside=true/);
  await expect(row(page, name)).toBeVisible();
  await open(page, name);
  await expect(waitingNotes(page)).toContainText("Hidden from your inbox");
  await page.getByRole("button", { name: /^Show again/ }).click();
  await expect(page.getByRole("button", { name: /^Snooze\b/ })).toBeVisible();
  await inbox(page, name);
  await expect(row(page, name)).toBeVisible();
});

test("a reviewer says that a request is not theirs, and the others read it with the reason", async ({ page }) => {
  const name = `Not mine ${Date.now()}`;
  await ask(page, name);
  await signInAs(page, "reviewer");
  await inbox(page, name);
  await open(page, name);
  const dialog = page.getByRole("dialog", { name: "Snooze this request" });
  await page.getByRole("button", { name: /^Snooze\b/ }).click();
  await dialog.getByRole("textbox").fill("The refunds desk decides these");
  await dialog.getByRole("button", { name: "Not mine" }).click();
  await expect(page.getByText("Others see that this is not yours").first()).toBeVisible();
  await inbox(page, name);
  await expect(row(page, name)).toHaveCount(0);

  await signInAs(page, "second reviewer");
  await inbox(page, name);
  await expect(page.getByText("1 person says it is not theirs")).toBeVisible();
  await open(page, name);
  await expect(waitingNotes(page)).toContainText("says this is not theirs: The refunds desk decides these");
  await expect(page.getByText("You can decide.")).toBeVisible();
  await expectAccessible(page, "not theirs");
});

test("the page says when a request escalates and what follows its expiry, apart from a rejection", async ({ page }) => {
  const name = `Late ${Date.now()}`;
  await ask(page, name);
  await signInAs(page, "reviewer");
  await inbox(page, name);
  await open(page, name);
  await expect(page.getByText(/Expires in .*, then the run continues at Ask the desk/)).toBeVisible();
  await expect(waitingNotes(page)).toContainText("Escalates to admins");
  await expect(page.getByRole("region", { name: "What happens if I reject?" })).toContainText("The run ends as cancelled");
});

test("an admin sets when waiting requests remind", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/settings");
  const reminders = page.getByRole("region", { name: "Reminders" });
  const quarter = reminders.getByRole("checkbox", { name: "After 25 % of the time" });
  await expect(reminders.getByRole("checkbox", { name: "After 50 % of the time" })).toBeChecked();
  await expect(quarter).not.toBeChecked();
  await quarter.click();
  await reminders.getByRole("button", { name: "Save reminders" }).click();
  await page.reload();
  await expect(quarter).toBeChecked();
  await expectAccessible(page, "reminders");
});

test("a builder takes the token of a wait, once, and answers it by hand", async ({ page }) => {
  const name = `Listens ${Date.now()}`;
  await signInAs(page, "second builder");
  const listen: GraphInput["nodes"][number] = {
    id: "listen",
    kind: "wait",
    title: "Listen",
    write_keys: ["note"],
    config: { until: { type: "event" } },
  };
  const document: GraphInput = { ...documentOf(name), nodes: [listen], start_node: "listen", end_nodes: ["listen"] };
  const { hash } = await publish(page, document, name);
  await page.goto(`/runs/${await startVersion(page, hash)}`);
  const note = page.getByRole("status", { name: "Wait" });
  await expect(note).toContainText("Times out in");
  await expectAccessible(page, "a run in a wait");
  await note.getByRole("button", { name: "Take answer token" }).click();
  const dialog = page.getByRole("dialog", { name: "Copy the token now" });
  await expect(dialog.getByText(/^cwt_[\w-]{86}$/u)).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Token for an answer handed out")).toBeVisible();
  await expect(note.getByRole("button", { name: "Take answer token" })).toHaveAttribute("aria-disabled", "true");

  await note.getByRole("button", { name: "Answer…" }).click();
  const form = page.getByRole("dialog", { name: "Answer this wait" });
  await expectAccessible(page, "the form of a wait");
  await form.getByRole("textbox").fill("By hand");
  await form.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(note).toHaveCount(0);
});
