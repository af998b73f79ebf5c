import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { FEWEST_RUNS } from "../lib/mcp/tool-use.ts";
import { faultsOf, inspect } from "./axe.ts";
import { pressOn, signInByKeyboard, tabTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { letIn } from "./registry.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate, query } from "./wire.ts";

// Axe takes seconds per page.
test.describe.configure({ timeout: 240_000 });

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const settled = (page: Page) => expect(page.getByRole("region", { name: "Grants and usage" })).toContainText(/Based on|No grants/);

test("axe finds nothing on the list, on active, crowded, drifted and unknown servers, and in their dialogs", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/mcp");
  await expect(page.getByRole("region", { name: "Agents: grants and usage" })).toContainText("Change planner");
  await inspect(page, /MCP servers · Countersign$/);
  await page.getByRole("button", { name: "Add server…" }).click();
  await expect(page.getByRole("dialog").getByLabel("Id")).toBeVisible();
  expect(await faultsOf(page), "adding").toEqual([]);

  for (const [id, shown] of [
    ["filesystem", "Active"],
    ["rug-pull", "Drifted"],
  ] as const) {
    await page.goto(`/admin/mcp/${id}`);
    await expect(heading(page)).toContainText(shown);
    await settled(page);
    await inspect(page, /MCP server · Countersign$/);
  }
  await page.getByRole("button", { name: "Review and pin…" }).click();
  await expect(page.getByRole("dialog", { name: /^Pin 2 tools/ })).toBeVisible();
  expect(await faultsOf(page), "the review").toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto("/admin/mcp/unknown");
  await expect(page.getByText("Server not found")).toBeVisible();
  await inspect(page, /MCP server · Countersign$/);
});

test("the demo's rug pull is found, read and left unchanged without a mouse", async ({ page }) => {
  await signInByKeyboard(page, "builder");
  await page.goto("/admin/mcp");
  await pressOn(page, page.getByRole("link", { name: "Weather" }));
  await expect(heading(page)).toContainText("Drifted");
  await pressOn(page, page.getByRole("list", { name: "Tools" }).getByRole("button", { name: "become" }));
  await expect(page).toHaveURL(/tool=become/);
  await pressOn(page, page.getByRole("list", { name: "Tools" }).getByRole("button", { name: "forecast" }));
  await expect(page.getByLabel("Description, Reviewed")).toHaveText(/What the weather of a city is today\.$/);
  await expect(page.getByLabel("Description, Current")).toContainText("U+E0050");
  const review = page.getByRole("button", { name: "Review and pin…" });
  await tabTo(page, review);
  await expect(review).toHaveAccessibleDescription("Needs admin; you are builder");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

/** Its agent calls no tools. */
const idle = (agent: string): GraphInput => ({
  format: "countersign/graph/v1",
  id: agent,
  name: `Idle ${agent}`,
  memory: [{ key: "note", schema: {} }],
  nodes: [{ id: "work", kind: "agent", write_keys: ["note"], failure_policy: { attempts: 1 }, config: { agent_id: agent } }],
  edges: [],
  start_node: "work",
  end_nodes: ["work"],
  max_token_budget: 100_000,
});

/** Until removing the grant is suggested. */
const runIdly = async (page: Page, agent: string, tool: { readonly server: string; readonly tool: string }): Promise<void> => {
  await signInAs(page, "builder");
  await mutate(page, "agents.save", { agent: { id: agent, name: "Idler", system_prompt: "Use no tool.", tools: [tool] }, revision: null });
  const { hash } = await publish(page, idle(agent));
  for (let index = 0; index < FEWEST_RUNS; index += 1) {
    const run = await startVersion(page, hash);
    const status = async () => (await query<{ run: { status: string } }>(page, "runs.get", { runId: run })).run.status;
    await expect.poll(status).toMatch(/completed|failed/);
  }
};

test("an unused tool is removed from the agent's form by its suggestion", async ({ page }) => {
  const agent = `idle_${Date.now()}`;
  await runIdly(page, agent, { server: "library", tool: "search" });

  await page.goto("/admin/mcp/library");
  const granted = page.getByRole("region", { name: "Grants and usage" });
  const own = granted.getByRole("listitem").filter({ hasText: agent });
  await expect(own.first()).toContainText(`Not used in ${FEWEST_RUNS} runs`);
  await own.getByRole("button", { name: "Reduce tools of Idler…" }).click();
  const form = page.getByRole("dialog", { name: "Reduce tools of Idler…" });
  await expect(form.getByText("Removed below: library / search")).toBeVisible();
  await expect(form.getByRole("checkbox", { name: /library \/ search/ })).not.toBeChecked();
  expect(await faultsOf(page), "the narrower grant").toEqual([]);
  await form.getByRole("button", { name: "Save agent" }).click();
  await expect(form).toHaveCount(0);
  await expect(own).toHaveCount(0);
});

test("an agent that never called a server is removed from its callers by the suggestion", async ({ page }) => {
  const now = Date.now();
  const [server, agent] = [`spare_${now}`, `spared_${now}`];
  await signInAs(page, "admin");
  await letIn(page, { id: server, name: "Spare", program: "library", reading: ["search"], callers: ["node", agent] });
  await runIdly(page, agent, { server, tool: "search" });

  await signInAs(page, "admin");
  await page.goto(`/admin/mcp/${server}`);
  const allowed = page.getByRole("region", { name: "Allowed callers" });
  await expect(allowed.getByRole("checkbox", { name: agent })).toBeChecked();
  await page.getByRole("button", { name: "Remove unused callers…" }).click();
  const form = page.getByRole("dialog", { name: "Remove unused callers" });
  await expect(form).toContainText(`Unchecked below because they never called it: ${agent}. Nothing changes until you save.`);
  await expect(form.getByRole("checkbox", { name: agent })).not.toBeChecked();
  // No tool node could call it.
  await expect(form.getByRole("checkbox", { name: "Tool nodes in graphs" })).toBeChecked();
  expect(await faultsOf(page), "fewer callers").toEqual([]);
  await form.getByRole("button", { name: "Close" }).click();
  await expect(allowed.getByRole("checkbox", { name: agent }), "put off").toBeChecked();

  await page.getByRole("button", { name: "Remove unused callers…" }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toHaveCount(0);
  await expect(allowed.getByRole("checkbox", { name: "Tool nodes in graphs" })).toBeChecked();
  await expect(allowed.getByRole("checkbox", { name: agent, checked: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Remove unused callers…" })).toHaveCount(0);
});
