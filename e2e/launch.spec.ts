import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { faultsOf } from "./axe.ts";
import { status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish } from "./versions.ts";
import { mutate } from "./wire.ts";

const INPUTS = {
  type: "object",
  required: ["customer", "urgent", "count"],
  properties: {
    customer: {
      type: "object",
      title: "Customer",
      required: ["email"],
      properties: {
        email: { type: "string", format: "email", title: "Email" },
        since: { type: "string", format: "date", title: "Customer since" },
      },
    },
    urgent: { type: "boolean", title: "Urgent" },
    count: { type: "integer", title: "How many", minimum: 1, maximum: 5 },
    note: { type: "string", title: "Note" },
    tags: { type: "array", title: "Tags", items: { enum: ["new", "paid"] } },
  },
};

/** No tools, no budget. */
const documentOf = (id: string, name: string): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name,
  description: "Answer the customer.",
  inputs: INPUTS,
  memory: [
    ...["customer", "urgent", "count", "tags", "reply_draft"].map((key) => ({ key, schema: {} })),
    // Below the form's limit, so only the engine refuses.
    { key: "note", schema: {}, max_bytes: 20 },
  ],
  nodes: [{ id: "answer", kind: "agent", write_keys: ["reply_draft"], failure_policy: { attempts: 1 }, config: { agent_id: "writer" } }],
  edges: [],
  start_node: "answer",
  end_nodes: ["answer"],
});

const launcher = (page: Page) => page.getByRole("dialog", { name: "Start a run" });
const start = (page: Page) => launcher(page).getByRole("button", { name: "Start the run" });

const openLauncher = async (page: Page, graph: string): Promise<void> => {
  await page.goto(`/graphs/${graph}`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(launcher(page).getByLabel("Goal")).toHaveValue("Answer the customer.");
};

test("the form marks errors at their fields and keeps typed values, and the run stays within its budget", async ({ page }) => {
  await signInAs(page, "builder");
  await openLauncher(page, (await publish(page, documentOf("launch-form", "Launch form"))).id);
  const dialog = launcher(page);

  await test.step("marks and focuses missing fields", async () => {
    await start(page).click();
    await expect(dialog.getByText("Fix the 2 fields marked above.")).toBeVisible();
    await expect(dialog.getByLabel("How many")).toBeFocused();
    await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription("Required.");
    await dialog.getByLabel("Email").fill("ada");
    await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription(/^Enter an email address/);
    await dialog.getByLabel("How many").fill("7");
    await expect(dialog.getByLabel("How many")).toHaveAccessibleDescription("At most 5.");
    await dialog.getByLabel("Tags").fill("new\nold");
    await expect(dialog.getByLabel("Tags")).toHaveAccessibleDescription(/Line 2: Choose one of new, paid\.$/);
    expect(await faultsOf(page)).toEqual([]);
  });

  await test.step("keeps everything when closed by mistake and reopened", async () => {
    await dialog.getByLabel("Email").fill("ada@example.org");
    await dialog.getByLabel("How many").fill("3");
    await dialog.getByLabel("Tags").fill("new\npaid");
    await dialog.getByLabel("Note").fill("More than the key of this note takes.");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(dialog.getByLabel("Email")).toHaveValue("ada@example.org");
  });

  await test.step("shows an engine-only refusal and keeps everything", async () => {
    await start(page).click();
    await expect(dialog.getByRole("alert")).toContainText("The value is larger than its key allows.");
    await expect(dialog.getByLabel("Note")).toHaveValue("More than the key of this note takes.");
    await dialog.getByLabel("Note").fill("Short.");
  });

  await test.step("the worst case names the unbounded figures, and a budget bounds it", async () => {
    const worst = dialog.getByRole("region", { name: "Worst case" });
    await expect(worst.getByText("Unlimited")).toHaveCount(1);
    await expect(worst.getByText(/limit tokens\. Set a token budget\.$/)).toBeVisible();
    await expect(worst.getByText("Its models are free.")).toBeVisible();
    await expect(worst.getByText("Nothing changes outside the run.")).toBeVisible();
    await dialog.getByLabel("Tokens").fill("many");
    await expect(dialog.getByLabel("Tokens")).toHaveAccessibleDescription(/Enter a whole number\./);
    await dialog.getByLabel("Tokens").fill("1");
    await expect(worst.getByText("Unlimited")).toHaveCount(0);
    await expect(worst.getByText("at most 1", { exact: true })).toBeVisible();
  });

  await test.step("the engine enforces the budget: the model is never called", async () => {
    await start(page).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await expect(status(page)).toContainText("Budget exceeded");
    await expect(page.getByText("of 1", { exact: true })).toBeVisible();
    await expect(page.getByText(/max 1 token\b/).first()).toBeVisible();
    await expect(page.getByText(/token_budget|run's token budget/).first()).toBeVisible();
  });
});

test("a graph without a published version cannot run, and an older version can be chosen", async ({ page }) => {
  await signInAs(page, "builder");
  const unpublished = await mutate<{ id: string }>(page, "graphs.create", { name: "Launch nothing" });
  await page.goto(`/graphs/${unpublished.id}`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(launcher(page).getByText("No published versions yet")).toBeVisible();

  const { id: graph } = await publish(page, documentOf("launch-versions", "Launch versions"));
  const next = { ...documentOf("launch-versions", "Launch versions"), max_token_budget: 1_000 };
  const { revision } = await mutate<{ revision: number }>(page, "graphs.save", { id: graph, revision: 2, document: next });
  await mutate(page, "graphs.publish", { id: graph, revision });
  await openLauncher(page, graph);
  const dialog = launcher(page);
  await expect(dialog.getByText("The version allows 1,000.")).toBeVisible();
  await dialog.getByLabel("Tokens").fill("1001");
  await expect(dialog.getByLabel("Tokens")).toHaveAccessibleDescription(/At most 1,000, the limit of this version\./);
  await dialog.getByRole("combobox", { name: "Version" }).click();
  await page.getByRole("option", { name: "Version 1" }).click();
  await expect(dialog.getByText("The version sets no limit.").first()).toBeVisible();
  await expect(dialog.getByLabel("Tokens")).toHaveValue("1001");
  await expect(dialog.getByText("at most 1,001", { exact: true })).toBeVisible();
});

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

test("a file is given in the form, kept when another is refused, and opened on the run's page on record", async ({ page }) => {
  await signInAs(page, "builder");
  const document: GraphInput = {
    ...documentOf("launch-file", "Launch with a file"),
    inputs: {
      type: "object",
      required: ["scan"],
      properties: { scan: { format: "artifact", title: "Scan", "x-media-types": ["image/*"] } },
    },
    memory: [
      { key: "scan", schema: { format: "artifact" } },
      { key: "out", schema: {} },
    ],
    nodes: [
      {
        id: "answer",
        kind: "transform",
        read_keys: ["scan"],
        write_keys: ["out"],
        config: { set: [{ path: "out", value: "memory.scan" }] },
      },
    ],
  };
  const { id: graph } = await publish(page, document);
  await openLauncher(page, graph);
  const dialog = launcher(page);
  const picker = dialog.getByLabel("Scan");

  await start(page).click();
  await expect(picker).toBeFocused();
  await expect(picker).toHaveAccessibleDescription(/Required\.$/);
  await picker.setInputFiles({ name: "bill.png", mimeType: "text/html", buffer: PIXEL });
  await expect(dialog.getByText("PNG image, 70 B")).toBeVisible();
  await picker.setInputFiles({ name: "empty.png", mimeType: "image/png", buffer: Buffer.alloc(0) });
  await expect(dialog.getByRole("alert")).toHaveText("The file is empty.");
  await expect(dialog.getByText("PNG image, 70 B")).toBeVisible();
  await picker.setInputFiles({ name: "page.png", mimeType: "image/png", buffer: Buffer.from("<script>alert(1)</script>") });
  await expect(picker).toHaveAccessibleDescription(/Choose a file of an allowed type\.$/);
  await picker.setInputFiles({ name: "bill.png", mimeType: "image/png", buffer: PIXEL });
  await expect(dialog.getByText("PNG image, 70 B")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await start(page).click();

  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(status(page)).toContainText("Completed");
  const state = page.getByRole("region", { name: /^State after record/ });
  await state.getByRole("button", { name: "Open bill.png" }).first().click();
  const viewer = page.getByRole("dialog", { name: "bill.png" });
  await expect(viewer.getByRole("img", { name: "bill.png" })).toHaveJSProperty("naturalWidth", 1);
  await viewer.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("File opened").first()).toBeVisible();
});
