import { expect, type Page } from "@playwright/test";
import { countActions } from "./actions.ts";
import { node } from "./editor.ts";
import { approveWrite, createAgent, publishAndStart } from "./first-graph.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

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

const countSpots = async (page: Page): Promise<number> => {
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { document } = await query<{ document: { nodes: { position: { x: number; y: number } }[] } }>(page, "graphs.get", { id });

  return new Set(document.nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size;
};

test("from the gallery to an approved write in at most 25 actions", async ({ page }) => {
  await signInAs(page, "builder");
  await page.goto("/graphs");
  const act = countActions(page);
  await act.click(page.getByRole("button", { name: "New from template" }));
  await act.click(page.getByRole("button", { name: "Use template Change a customer after a mail" }));
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  expect(await countSpots(page)).toBe(5);
  await approveWrite(page, act, await publishAndStart(page, act, "Mail", "01-upgrade.txt"));
  expect(act.count()).toBeLessThanOrEqual(25);
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

  expect(await countSpots(page)).toBe(4);
  await act.click(node(page, /^Agent Plan the change/));
  await expect(page.getByLabel("Id", { exact: true })).toHaveValue("plan");
  await createAgent(page, act, 'Return customer_id "cus_1001", plan "team" and credit_cents 0.');
  await approveWrite(page, act, await publishAndStart(page, act, "File", "01-upgrade.txt"));
  expect(act.count()).toBeLessThanOrEqual(25);
  test.info().annotations.push({ type: "actions", description: String(act.count()) });
});

test("a graph is duplicated and deleted from its menu; the original stays", async ({ page }) => {
  await signInAs(page, "builder");
  const choose = async (graph: string, item: string): Promise<void> => {
    await page.goto("/graphs");
    await page.getByRole("button", { name: `Actions for ${graph}`, exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Fact check", "Duplicate");
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1, name: "Fact check (copy)" })).toBeVisible();
  await choose("Fact check (copy)", "Delete…");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Delete/ })
    .click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("table").getByRole("link", { name: /^Fact check/ })).toHaveCount(1);
});
