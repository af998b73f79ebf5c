import fs from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { startFake, type Fake } from "../server/models/testing/fake.ts";
import { describeChat } from "../server/models/testing/openai-fake.ts";
import { createPasskey, withAuthenticator } from "./authenticator.ts";
import { faultsOf } from "./axe.ts";
import { decideByKeys, status } from "./desk.ts";
import { e2eHome } from "./home.ts";
import { addPerson, foundOwnWorkspace, PASSWORD, signInAsOwn, signInBy } from "./own-workspace.ts";
import { test } from "./test.ts";
import { letIn } from "./registry.ts";
import { mutate, query } from "./wire.ts";

// The second test starts the graph of the first.
test.describe.configure({ mode: "serial" });

const ANSWER = "The shop is open from nine to five.";
const GRAPH = "Read, draft, approve, write";
const MODEL = "ours:small";

let fake: Fake;
test.beforeAll(async () => {
  fake = await startFake(() => ({ body: describeChat(ANSWER) }));
});
test.afterAll(() => fake.close());

const fileIn = (name: string): string => path.join(e2eHome(), "inbox", name);

const addModel = async (page: Page): Promise<void> => {
  const change = (input: object) => mutate(page, "models.change", { change: input });
  const provider = { id: "ours", kind: "openai-compatible", name: "Ours", base_url: fake.url, allow_local: true };
  await change({ type: "add_provider", provider, key: null });
  await change({ type: "add_model", model: MODEL });
  const { models } = await query<{ models: { id: string; revision: number }[] }>(page, "models.settings", undefined);
  const revision = models.find(({ id }) => id === MODEL)?.revision;
  const price = { input_usd_per_million: 1, output_usd_per_million: 2, source: "Our own", as_of: "2026-01-01" };
  await change({ type: "set_price", model: MODEL, revision, price });
};

const step = (page: Page, title: string) => page.getByRole("region", { name: "First steps" }).getByRole("link", { name: title });

const launch = async (page: Page, target: string): Promise<string> => {
  const launcher = page.getByRole("dialog", { name: "Start a run" });
  // Chosen before a scripted one, because it is configured.
  await expect(launcher.getByLabel("Model")).toContainText("Ours: small");
  await launcher.getByLabel("File to read").fill("question.txt");
  await launcher.getByLabel("File to write").fill(target);
  await launcher.getByRole("button", { name: "Start the run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/u);
  await expect(status(page)).toContainText("Waiting");

  return new URL(page.url()).pathname;
};

/** A write takes the reviewer's passkey. */
const approve = async (page: Page, run: string): Promise<void> => {
  await withAuthenticator(page);
  await page.goto("/first-passkey");
  await createPasskey(page);
  await page.goto(run);
  await page.getByRole("link", { name: "Waiting for a reviewer" }).click();
  await page.waitForURL("**/approvals/*");
  await decideByKeys(page, "approve");
};

test("one person alone takes a workspace from its set-up link to its first approved write, under three accounts", async ({ page }) => {
  await foundOwnWorkspace(page);
  fs.writeFileSync(fileIn("question.txt"), "When are you open?");
  await page.goto("/");
  await expect(step(page, "Invite a builder and a reviewer")).toContainText("(done)");
  await expect(page.getByText("A first approved write takes three accounts: an admin, a builder and a reviewer.")).toBeVisible();
  await expect(page.getByText(/attack|support desk/iu)).toHaveCount(0);
  await addModel(page);
  await letIn(page, { id: "files", name: "Files", program: "filesystem", reading: ["read_text_file"], callers: ["node"] });

  await signInAsOwn(page, "builder");
  await page.goto("/");
  await expect(step(page, "Connect an MCP server")).toContainText("(done)");
  await expect(step(page, "Add a model")).toContainText("(done)");
  await step(page, "Publish a graph").click();
  const gallery = page.getByRole("dialog", { name: "New from template" });
  await expect(gallery.getByRole("listitem").filter({ hasText: "A file server" }).first()).toContainText("Available");
  expect(await faultsOf(page)).toEqual([]);
  await gallery.getByRole("button", { name: "Use template Read a file, draft, approve, write" }).click();
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/u);
  await expect(page.getByRole("heading", { level: 1, name: GRAPH })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`${GRAPH} · Graph · Countersign$`, "u"));
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish a version" });
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByText("Published as version 1")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const run = await launch(page, "answer.txt");

  await signInAsOwn(page, "reviewer");
  await approve(page, run);
  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
  expect(fs.readFileSync(fileIn("answer.txt"), "utf8")).toBe(ANSWER);
  await page.goto("/");
  await expect(step(page, "Approve the first write")).toContainText("(done)");
});

test("three people do it side by side, find the run by name, and return to where they were after a forced sign-out", async ({
  page,
  browser,
}) => {
  await foundOwnWorkspace(page);
  const emails = { builder: "bo@harborpoint.example", reviewer: "rea@harborpoint.example" };
  await addPerson(page, emails.builder, "builder", "Bo Quay");
  await addPerson(page, emails.reviewer, "reviewer", "Rea Quay");
  const open = async (email: string): Promise<Page> => {
    const own = await (await browser.newContext()).newPage();
    await signInBy(own, email);

    return own;
  };
  const [bo, rea] = [await open(emails.builder), await open(emails.reviewer)];

  await bo.goto("/runs");
  await bo.getByRole("button", { name: "Start a run" }).click();
  await bo.getByRole("dialog", { name: "Choose a graph to run" }).getByRole("link", { name: GRAPH }).click();
  const run = await launch(bo, "second.txt");

  await test.step("the palette finds the run, and the header tells goal and progress", async () => {
    await rea.goto("/");
    await rea.keyboard.press("ControlOrMeta+k");
    await rea.getByRole("combobox", { name: "Search or run a command" }).fill(run.slice("/runs/".length, "/runs/".length + 8));
    await rea.getByRole("option", { name: new RegExp(`^${GRAPH}`, "u") }).click();
    await rea.waitForURL(`**${run}`);
    const banner = rea.getByRole("main");
    await expect(banner.getByText("second.txt").first()).toBeVisible();
    await expect(banner.getByText("of 12", { exact: true })).toBeVisible();
    await rea.getByRole("button", { name: "View workflow state" }).click();
    await expect(rea.getByRole("dialog", { name: "Workflow state" }).getByRole("row", { name: /^waiting_for/u })).toContainText(
      "human_approval",
    );
    expect(await faultsOf(rea)).toEqual([]);
  });
  await approve(rea, run);
  await expect(status(bo)).toContainText("Completed");
  expect(fs.readFileSync(fileIn("second.txt"), "utf8")).toBe(ANSWER);

  await test.step("an ended session says so, and signing in leads back", async () => {
    const place = new URL(rea.url()).pathname;
    const people = await query<{ members: { id: string; email: string }[] }>(page, "people.list", undefined);
    await mutate(page, "people.endSessions", {
      userId: people.members.find(({ email }) => email === emails.reviewer)?.id,
      sessionId: null,
    });
    await expect(rea.getByText("Your session ended.")).toBeVisible();
    await rea.getByLabel("E-mail").fill(emails.reviewer);
    await rea.getByLabel("Password").fill(PASSWORD);
    await rea.getByRole("button", { name: "Sign in" }).click();
    await rea.waitForURL(`**${place}`);
  });
});
