import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { faultsOf } from "./axe.ts";
import { commitByKey, commitNow, pressUntil, status, seeAll } from "./desk.ts";
import { signInAs } from "./people.ts";
import { letIn } from "./registry.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";

// Ids are never reused.
const SERVER = `expenses_${Date.now()}`;

const DOCUMENT: GraphInput = {
  format: "countersign/graph/v1",
  id: SERVER,
  name: "Expenses",
  inputs: {
    type: "object",
    properties: { what: { type: "string" }, amount: { type: "integer" } },
    required: ["what", "amount"],
    additionalProperties: false,
  },
  memory: [
    { key: "what", schema: { type: "string" } },
    { key: "amount", schema: { type: "integer" } },
    { key: "filed", schema: {} },
  ],
  nodes: [
    {
      id: "file",
      title: "File it",
      kind: "tool",
      effect: "read",
      read_keys: ["what", "amount"],
      write_keys: ["filed"],
      failure_policy: { attempts: 1 },
      config: { server: SERVER, tool: "file_expense", arguments: { what: { from: "what" }, amount_cents: { from: "amount" } } },
    },
  ],
  edges: [],
  start_node: "file",
  end_nodes: ["file"],
  max_token_budget: 1_000,
};

const start = async (page: Page, hash: string, what: string): Promise<string> => {
  const run = `/runs/${await startVersion(page, hash, { what, amount: 25_000 })}`;
  await page.goto(run);
  await expect(status(page)).toContainText("Waiting");

  return run;
};

const openQuestion = async (page: Page, run: string): Promise<void> => {
  await page.goto(run);
  await page.getByRole("link", { name: /^Waiting for a/ }).click();
  await page.waitForURL("**/approvals/*");
  await expect(form(page)).toBeVisible();
};

const form = (page: Page) => page.getByRole("region", { name: "Your answer" });

test("a reviewer answers or declines a tool's question by keys, and the call continues", async ({ page }) => {
  await signInAs(page, "admin");
  // The tool's question must be the only one.
  await letIn(page, { id: SERVER, name: "Expenses", program: "expenses", reading: ["file_expense"], callers: ["node"] });
  await signInAs(page, "builder");
  const { hash } = await publish(page, DOCUMENT);
  const answered = await start(page, hash, "A <b>chair</b>");
  const declined = await start(page, hash, "A desk");

  await test.step("the person who started the run sees the question and why they can't answer", async () => {
    await openQuestion(page, answered);
    await expect(form(page)).toContainText("Needs reviewer");
    await expect(page.getByText("Where does this belong: A <b>chair</b>, 250.00 USD?").first()).toBeVisible();
    await expect(page.getByText("A tool asks for input")).toBeVisible();
  });

  await test.step("an incomplete answer arms nothing", async () => {
    await signInAs(page, "reviewer");
    await openQuestion(page, answered);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await seeAll(page);
    await pressUntil(page, "a", page.getByText("Fix the marked fields before you answer."));
    await expect(form(page).getByText("Required.").first()).toBeVisible();
    await form(page).getByLabel("cost_centre").fill("47");
    await expect(form(page).getByText("Enter at least 4 characters.")).toBeVisible();
  });

  await test.step("an answer is committed like any decision, and its call continues once", async () => {
    await form(page).getByLabel("cost_centre").fill("4711");
    await form(page).getByLabel("kind").click();
    await page.getByRole("option", { name: "equipment" }).click();
    await page.getByRole("button", { name: "Answer a" }).click();
    await expect(page.getByText("Send your answer?", { exact: true })).toBeVisible();
    await commitByKey(page);
    await commitNow(page);
    await page.goto(answered);
    await expect(status(page)).toContainText("Completed");
  });

  await test.step("a no is told to the tool as one", async () => {
    await openQuestion(page, declined);
    await expect(page.getByText("The tool is told that its question was declined, and its call continues.")).toBeVisible();
    await page.getByRole("button", { name: "Decline r" }).click();
    await expect(page.getByRole("textbox", { name: "Reason" })).toBeFocused();
    await page.keyboard.type("It was not ordered.");
    await commitByKey(page);
    await commitNow(page);
    await page.goto(declined);
    await expect(status(page)).toContainText("Failed");
  });
});
