import { expect, type Page } from "@playwright/test";
import { countActions, type Actions } from "./actions.ts";
import { decideByKeys, status } from "./desk.ts";
import { edge, node } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

const MAIL = "01-upgrade.txt";
const INSTRUCTIONS = 'Return customer_id "cus_1001", plan "team" and credit_cents 0.';

/** As a program writes it: no positions, no agent. */
const TEMPLATE = JSON.stringify({
  format: "countersign/graph/v1",
  id: "from-a-template",
  name: "From a template",
  inputs: { type: "object", properties: { file: { type: "string" } }, required: ["file"], additionalProperties: false },
  memory: [
    { key: "file", schema: { type: "string" } },
    { key: "mail", schema: {} },
    {
      key: "change",
      schema: {
        type: "object",
        properties: {
          customer_id: { type: "string", pattern: "^cus_[0-9]{1,12}$" },
          plan: { enum: ["starter", "team", "business"] },
          credit_cents: { type: "integer", minimum: 0 },
        },
        required: ["customer_id", "plan", "credit_cents"],
      },
    },
    { key: "written", schema: {} },
  ],
  nodes: [
    {
      id: "read",
      kind: "tool",
      title: "Read the mail",
      effect: "read",
      read_keys: ["file"],
      write_keys: ["mail"],
      config: { server: "filesystem", tool: "read_text_file", arguments: { path: { from: "file" } } },
    },
    {
      id: "plan",
      kind: "agent",
      title: "Plan the change",
      read_keys: ["mail"],
      write_keys: ["change"],
      config: { agent_id: "unassigned", answer: "json" },
    },
    { id: "approve", kind: "approval", title: "Approve the change", config: { prompt: "Write it?", for_node: "write" } },
    {
      id: "write",
      kind: "tool",
      title: "Write the change",
      effect: "write",
      read_keys: ["change"],
      write_keys: ["written"],
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: {
          customer_id: { from: "change.customer_id" },
          plan: { from: "change.plan" },
          credit_cents: { from: "change.credit_cents" },
        },
      },
    },
  ],
  edges: [
    { id: "a", source: "read", target: "plan" },
    { id: "b", source: "plan", target: "approve" },
    { id: "c", source: "approve", target: "write" },
  ],
  start_node: "read",
  end_nodes: ["write"],
  max_token_budget: 200_000,
});

const createAgent = async (page: Page, act: Actions): Promise<void> => {
  await act.click(page.getByRole("button", { name: "New agent" }));
  const dialog = page.getByRole("dialog", { name: "New agent" });
  await act.click(dialog.getByRole("button", { name: "Save agent" }));
  await expect(dialog).toBeHidden();
  await act.fill(page.getByLabel("Instructions"), INSTRUCTIONS);
};

/** @returns the run's page */
const publishAndStart = async (page: Page, act: Actions, input: string): Promise<string> => {
  await act.click(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog", { name: "Publish a version" });
  await act.click(dialog.getByRole("button", { name: "Publish", exact: true }));
  await expect(dialog.getByText("Published as version 1")).toBeVisible();
  await act.press("Escape");
  await expect(dialog).toBeHidden();
  await act.click(page.getByRole("button", { name: "Run", exact: true }));
  const launcher = page.getByRole("dialog", { name: "Start a run" });
  await expect(launcher.getByText(/it fills each declared schema with plausible values/)).toBeVisible();
  await act.fill(launcher.getByLabel(input), MAIL);
  await act.click(launcher.getByRole("button", { name: "Start the run" }));
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(status(page)).toContainText("Waiting");

  return new URL(page.url()).pathname;
};

const approve = async (page: Page, act: Actions, run: string): Promise<void> => {
  await signInAs(page, "reviewer");
  await page.goto(run);
  await act.click(page.getByRole("link", { name: /^Waiting for a/ }));
  await expect(page.getByText("cus_1001").first()).toBeVisible();
  // Tab shows that a person is there, then a, Enter, and Enter on "Send now".
  act.add(4);
  await decideByKeys(page, "approve");
  await page.goto(run);
  await expect(status(page)).toContainText("Completed");
};

test("from an empty canvas to an approved write in at most 40 actions", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  const act = countActions(page);
  await act.click(page.getByRole("button", { name: "New graph" }));
  await act.fill(page.getByLabel("Name"), "My first graph");
  await act.click(page.getByRole("button", { name: "Create" }));
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);

  await act.click(page.getByRole("button", { name: "Add Tool" }));
  await act.choose(page.getByRole("combobox", { name: "Tool", exact: true }), page.getByRole("option", { name: /read_text_file/ }));
  await act.click(page.getByRole("button", { name: "Add Agent" }));
  await createAgent(page, act);
  await act.click(page.getByRole("button", { name: "Add Approval" }));
  await act.click(page.getByRole("button", { name: "Add Tool" }));
  await act.choose(page.getByRole("combobox", { name: "Tool", exact: true }), page.getByRole("option", { name: /update_plan/ }));
  await expect(node(page, /^Tool Update plan, end/)).toBeVisible();
  await expect(edge(page, "approval", "tool_2")).toHaveCount(1);

  await approve(page, act, await publishAndStart(page, act, "Path"));
  expect(act.count()).toBeLessThanOrEqual(40);
  test.info().annotations.push({ type: "actions", description: String(act.count()) });
});

test("from a template without positions to an approved write in at most 25 actions", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  const act = countActions(page);
  await act.click(page.getByRole("button", { name: "Import" }));
  const dialog = page.getByRole("dialog", { name: "Import a graph" });
  await act.fill(dialog.getByLabel("JSON or YAML"), TEMPLATE);
  await act.click(dialog.getByRole("button", { name: "Create new graph" }));
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);

  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { document } = await query<{ document: { nodes: { position: { x: number; y: number } }[] } }>(page, "graphs.get", { id });
  expect(new Set(document.nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(4);
  await act.click(node(page, /^Agent Plan the change/));
  await expect(page.getByLabel("Id", { exact: true })).toHaveValue("plan");
  await createAgent(page, act);
  await approve(page, act, await publishAndStart(page, act, "File"));
  expect(act.count()).toBeLessThanOrEqual(25);
  test.info().annotations.push({ type: "actions", description: String(act.count()) });
});

test("deleting a gate shows what it opens or cuts off, and Taint shows that", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  const remove = async (how: string): Promise<void> => {
    await node(page, /^Approval Approve the change/).click();
    await node(page, /^Approval Approve the change/).focus();
    await page.keyboard.press("Delete");
    const dialog = page.getByRole("dialog", { name: "Delete “Approve the change”?" });
    await expect(dialog.getByRole("region", { name: "Delete and reconnect" })).toContainText("can influence it without an approval");
    await expect(dialog.getByRole("region", { name: "Delete", exact: true })).toContainText("no path from the start reaches it any more");
    await dialog.getByRole("button", { name: how, exact: true }).click();
    await expect(dialog).toBeHidden();
  };
  const taint = page.getByRole("group", { name: "Overlays" }).getByRole("button", { name: /^Taint/ });

  await test.step("reconnected: the path from the mail to the customer table is open, and the fix closes it", async () => {
    await remove("Delete and reconnect");
    await taint.click();
    const first = page.getByRole("list", { name: "Flows, worst first" }).getByRole("button").first();
    await first.click();
    const card = page.getByRole("region", { name: "Selected flow" });
    await expect(card.getByRole("list", { name: "Data flow" }).getByRole("listitem").first()).toContainText("Read the mail");
    await expect(node(page, /^Tool Read the mail.*untrusted data enters here/)).toBeVisible();
    await expect(node(page, /^Tool Write the change.*without an approval/)).toBeVisible();
    await card.getByRole("button", { name: "Insert a gate" }).click();
    await expect(node(page, /without an approval/)).toHaveCount(0);
    for (let undone = 0; undone < 2; undone += 1) await page.getByRole("button", { name: "Undo" }).click();
    await expect(node(page, /^Approval Approve the change/)).toBeVisible();
  });

  await test.step("deleted: the write is unreachable, and Taint says so", async () => {
    await remove("Delete");
    await expect(node(page, /^Tool Write the change.*no path from the start reaches it/)).toContainText("Unreachable");
    await expect(page.getByRole("list", { name: "Unreachable effects" })).toContainText("Write the change");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("list", { name: "Unreachable effects" })).toHaveCount(0);
  });
});
