import { expect, type Locator, type Page } from "@playwright/test";
import { startFake, type Answer, type Fake } from "../server/models/testing/fake.ts";
import { describeChat } from "../server/models/testing/openai-fake.ts";
import { streamChat } from "../server/models/testing/sse.ts";
import { DEMO_GRAPH_ID } from "../server/seed/workflows.ts";
import { faultsOf, inspect } from "./axe.ts";
import { goTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate, query } from "./wire.ts";

// One provider throughout.
test.describe.configure({ mode: "serial", timeout: 240_000 });

const KEY = "sk-canary-typed-into-a-form";
let fake: Fake;
let answer: Answer = { body: describeChat("yes") };
test.beforeAll(async () => {
  fake = await startFake(() => answer);
});
test.afterAll(() => fake.close());

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const providerRow = (page: Page, name = "Beside us") =>
  page.getByRole("table", { name: "Model providers" }).getByRole("row", { name: new RegExp(name, "u") });
const modelRow = (page: Page, id = "beside-us:small") =>
  page.getByRole("table", { name: "Models and prices" }).getByRole("row", { name: new RegExp(id, "u") });

const addModel = async (page: Page, provider: string): Promise<void> => {
  await providerRow(page, provider).getByRole("button", { name: "Add model…" }).press("Enter");
  await dialog(page, `Add a model from ${provider}`).getByLabel("Model").fill("small");
  await page.getByRole("button", { name: "Add model", exact: true }).press("Enter");
};

const openTest = async (page: Page, provider: string): Promise<Locator> => {
  await providerRow(page, provider).getByRole("button", { name: "Test…" }).press("Enter");

  return dialog(page, `Test ${provider}`);
};

const heard = (page: Page): (() => Promise<string>) => {
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => {
    if (!response.headers()["content-type"]?.includes("event-stream")) bodies.push(response.text().catch(() => ""));
  });

  return async () => (await Promise.all(bodies)).join("\n");
};

test("an admin adds a local provider by keyboard, and its key is never returned", async ({ page }) => {
  await signInAs(page, "admin");
  const said = heard(page);
  await page.goto("/");
  await goTo(page, "d", /\/admin\/models$/);
  await page.getByRole("button", { name: "Add provider…" }).press("Enter");
  const form = dialog(page, "Add a provider");
  await form.getByLabel("Name").fill("Beside us");
  await expect(form.getByLabel("ID", { exact: true })).toHaveValue("beside-us");
  await form.getByLabel("Base URL").fill("http://169.254.169.254/v1");
  await form.getByLabel("Key").fill(KEY);
  await form.getByRole("button", { name: "Add provider" }).press("Enter");
  await expect(form.getByRole("alert")).toContainText("not a public address");
  await form.getByRole("checkbox", { name: /^Allow local addresses/ }).press("Space");
  await form.getByRole("button", { name: "Add provider" }).press("Enter");
  // Private networks are allowed, cloud metadata addresses are not.
  await expect(form.getByRole("alert")).toContainText("not a public address");
  await form.getByLabel("Base URL").fill(fake.url);
  await expect(form.getByText(`Allows ${new URL(fake.url).origin}, and nothing else`)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await form.getByRole("button", { name: "Add provider" }).press("Enter");
  await expect(providerRow(page)).toContainText("Stored");
  await expect(providerRow(page)).toContainText("Local addresses allowed");
  await page.reload();
  await expect(providerRow(page)).toBeVisible();
  await providerRow(page).getByRole("button", { name: "Edit…" }).press("Enter");
  await expect(dialog(page, "Edit Beside us").getByLabel("New key")).toHaveValue("");
  await page.keyboard.press("Escape");
  expect(await said()).not.toContain(KEY);
});

test("a model is called only with a price, a local one is free until it has one, and a test call shows its cost", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Add provider…" }).press("Enter");
  const form = dialog(page, "Add a provider");
  await form.getByLabel("Name").fill("Elsewhere");
  await form.getByLabel("Base URL").fill("https://models.example.com/v1");
  await form.getByRole("button", { name: "Add provider" }).press("Enter");
  await addModel(page, "Elsewhere");
  await expect(modelRow(page, "elsewhere:small")).toContainText("No price: can't be called");
  const elsewhere = await openTest(page, "Elsewhere");
  await elsewhere.getByRole("button", { name: "Run test" }).press("Enter");
  await expect(elsewhere.getByRole("alert")).toContainText("No price is known for this model.");
  await elsewhere.getByRole("button", { name: "Close" }).last().press("Enter");

  await expect(providerRow(page).getByRole("button", { name: "Test…" })).toHaveAttribute("aria-disabled", "true");
  await addModel(page, "Beside us");
  await expect(modelRow(page)).toContainText("The operator's own server");
  const call = await openTest(page, "Beside us");
  await call.getByRole("button", { name: "Run test" }).press("Enter");
  await expect(call.getByRole("alert")).toContainText("100 tokens in, 20 out, $0.00");
  await expect(call.getByRole("alert")).not.toContainText("$0.00045");
  await call.getByRole("button", { name: "Close" }).last().press("Enter");

  await page.getByRole("button", { name: "Set price of beside-us:small" }).press("Enter");
  const price = dialog(page, "Price of beside-us:small");
  await price.getByRole("button", { name: "Save price" }).press("Enter");
  await expect(price.getByText("Required.")).toBeVisible();
  await price.getByLabel("Input (USD per million tokens)").fill("2.5");
  await price.getByLabel("Output (USD per million tokens)").fill("10");
  await price.getByLabel("Source").fill("Contract of 2026");
  expect(await faultsOf(page)).toEqual([]);
  await price.getByRole("button", { name: "Save price" }).press("Enter");
  await expect(modelRow(page)).toContainText("$2.50");
  await expect(modelRow(page)).toContainText("Contract of 2026");

  await openTest(page, "Beside us");
  await call.getByRole("button", { name: "Run test" }).press("Enter");
  await expect(call.getByRole("alert")).toContainText("100 tokens in, 20 out, $0.00045");
  expect(fake.sent.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  await call.getByRole("button", { name: "Close" }).last().press("Enter");
  await expect(providerRow(page)).toContainText("Passed");
  await inspect(page, /Models · Countersign$/);
});

test("a run says which provider it waits for, tries now, and shows what the model writes", async ({ page }) => {
  answer = { status: 429, headers: { "retry-after": "600" }, body: {} };
  await signInAs(page, "builder");
  const versions = await query<{ hash: string }[]>(page, "graphs.versions", { id: DEMO_GRAPH_ID });
  const started = await mutate<{ runId: string }>(page, "runs.start", {
    graphHash: versions[0]?.hash,
    goal: "Handle the mail",
    inputs: { mail_file: "01-upgrade.txt" },
    model: "beside-us:small",
  });
  await page.goto(`/runs/${started.runId}`);
  const note = page.getByRole("status", { name: "Model provider" });
  await expect(note).toContainText("beside-us is rate limited");
  await expect(note).toContainText(/Next attempt in \d+ min/);
  await inspect(page, /Countersign$/);

  answer = { begin: streamChat(["Half an answer"], null), ends: "hang", headers: { "content-type": "text/event-stream" } };
  await note.getByRole("button", { name: "Try now" }).press("Enter");
  const writing = page.getByRole("list", { name: "Models are writing" });
  await expect(writing).toContainText("Half an answer");
  await expect(writing).toContainText("Not recorded yet");
  await expect(note).toHaveCount(0);
  await page.getByRole("button", { name: "Cancel run" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).press("Enter");
  await expect(page.getByRole("status", { name: "Run status" })).toContainText("Cancelled");
  await expect(writing).toHaveCount(0);
  answer = { body: describeChat("yes") };
});

test("a disallowed model cannot be chosen, and a removed one is gone", async ({ page }) => {
  const offered = async (): Promise<boolean> => {
    await signInAs(page, "builder");
    await page.goto("/graphs");
    await page.getByRole("link", { name: /Support desk under attack/ }).click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog(page, "Start a run").getByLabel("Model").click();
    await expect(page.getByRole("option", { name: /^Scripted: honest/ })).toBeVisible();

    return (await page.getByRole("option", { name: "Beside us: small" }).count()) === 1;
  };
  expect(await offered()).toBe(true);
  await page.goto("/admin/models");
  await expect(page.getByRole("button", { name: "Add provider…" })).toHaveAttribute("aria-disabled", "true");
  await inspect(page, /Models · Countersign$/);

  await signInAs(page, "admin");
  await page.goto("/admin/models");
  await page.getByRole("button", { name: "Block beside-us:small" }).press("Enter");
  await expect(page.getByRole("button", { name: "Allow beside-us:small" })).toBeVisible();
  expect(await offered()).toBe(false);

  await signInAs(page, "admin");
  await page.goto("/admin/models");
  await providerRow(page).getByRole("button", { name: "Remove…" }).press("Enter");
  await page.getByRole("button", { name: "Remove provider" }).press("Enter");
  await expect(providerRow(page)).toHaveCount(0);
  await expect(modelRow(page)).toHaveCount(0);
});
