import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { expectAccessible } from "./axe.ts";
import { edge, node } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

/** A server's answer shapes a plan that is written without approval. */
const UNGATED: GraphInput = {
  format: "countersign/graph/v1",
  id: "ungated",
  name: "Ungated change",
  memory: ["customer", "change", "result"].map((key) => ({ key, schema: {} })),
  nodes: [
    {
      id: "lookup",
      kind: "tool",
      title: "Find the customer",
      write_keys: ["customer"],
      effect: "read",
      position: { x: 0, y: 0 },
      config: { server: "customers", tool: "find_customer", arguments: { email: { value: "maria.lindqvist@nordlicht.example" } } },
    },
    {
      id: "plan",
      kind: "agent",
      title: "Plan the change",
      read_keys: ["customer"],
      write_keys: ["change"],
      effect: "read",
      position: { x: 280, y: 0 },
      config: { agent_id: "planner", answer: "json" },
    },
    {
      id: "write",
      kind: "tool",
      title: "Write the change",
      read_keys: ["change"],
      write_keys: ["result"],
      effect: "write",
      position: { x: 560, y: 0 },
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: {
          customer_id: { from: "change.customer_id" },
          plan: { from: "change.plan" },
          credit_cents: { from: "change.credit_cents" },
          reason: { from: "change.reason" },
        },
      },
    },
  ],
  edges: [
    { id: "found", source: "lookup", target: "plan" },
    { id: "planned", source: "plan", target: "write" },
  ],
  start_node: "lookup",
  end_nodes: ["write"],
  budget_usd: 0.4,
};

const overlay = (page: Page, name: RegExp) => page.getByRole("group", { name: "Overlays" }).getByRole("button", { name });
const card = (page: Page) => page.getByRole("region", { name: "Selected flow" });
const asked = (page: Page) => node(page, /^Approval Approve Write the change/);

const open = async (page: Page, name: string): Promise<void> => {
  await signInAs(page, "builder");
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name });
  await mutate(page, "graphs.save", { id, revision: 1, document: { ...UNGATED, name } });
  await page.goto(`/graphs/${id}`);
};

test("inserting the suggested gate removes the red flow, by keyboard alone, and undo restores it", async ({ page }) => {
  await open(page, "Ungated change");
  const write = node(page, /^Tool Write the change.*without an approval/);

  await test.step("the plain graph counts open flows; v overlays them", async () => {
    await expect(overlay(page, /^Taint 1 open$/)).toBeVisible();
    await page.keyboard.press("v");
    await expect(page).toHaveURL(/overlay=taint/);
    await expect(write).toContainText("No approval");
    await expect(node(page, /^Tool Find the customer.*untrusted data enters here/)).toContainText("Untrusted source");
    await expect(node(page, /^Agent Plan the change.*carries untrusted data/)).toContainText("Carries it");
    await expect(edge(page, "plan", "write")).toHaveAttribute("aria-label", /carries untrusted data/);
  });

  await test.step("Enter on the red node explains it in one sentence and steps along the path", async () => {
    await write.focus();
    await page.keyboard.press("Enter");
    await expect(card(page)).toBeFocused();
    await expect(card(page)).toContainText(
      "“Write the change” calls customers__update_plan, which changes data outside the run, and tool results of Find the customer can influence it without an approval.",
    );
    const steps = card(page).getByRole("list", { name: "Data flow" });
    await page.keyboard.press(".");
    await expect(steps.locator("[aria-current=step]")).toHaveText(/^Find the customer/);
    await page.keyboard.press(".");
    await expect(steps.locator("[aria-current=step]")).toHaveText(/^customer/);
    await expect(node(page, /^Tool Find the customer/)).toContainText("1 ·");
  });

  await test.step("the suggested gate is on every path, and nothing is red", async () => {
    await card(page).getByRole("button", { name: "Insert a gate" }).focus();
    await page.keyboard.press("Enter");
    await expect(asked(page)).toBeVisible();
    await expect(edge(page, "plan", "approve_write")).toHaveCount(1);
    await expect(edge(page, "approve_write", "write")).toHaveCount(1);
    await expect(edge(page, "plan", "write")).toHaveCount(0);
    await expect(node(page, /without an approval/)).toHaveCount(0);
    await expect(overlay(page, /^Taint$/)).toBeVisible();
    await expect(card(page)).toBeFocused();
    await expect(card(page)).toContainText("Needs approval");
    await page.getByRole("tab", { name: /^Problems/ }).click();
    await expect(page.getByText("Error", { exact: true })).toHaveCount(0);
  });

  await test.step("the overlay follows undo and redo", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(overlay(page, /^Taint 1 open$/)).toBeVisible();
    await expect(write).toContainText("No approval");
    await page.getByRole("button", { name: "Redo" }).click();
    await expect(overlay(page, /^Taint$/)).toBeVisible();
  });
});

test("shows a compromised agent's blast radius before the first approval, and a smaller one behind a gate", async ({ page }) => {
  await open(page, "Compromised planner");
  await overlay(page, /^Blast radius/).click();
  const panel = page.getByRole("region", { name: "Blast radius" });
  await panel.getByRole("combobox", { name: "Assume compromised" }).click();
  await page.getByRole("option", { name: "Agent Change planner" }).click();
  await expect(panel).toContainText(
    "Before the first approval it could: write 2 paths, call 2 tools, read 1 secret, act with 1 credential, reach 0 hosts, spend $0.40.",
  );
  await expect(node(page, /^Agent Plan the change.*assumed to be compromised/)).toContainText("Compromised");
  await expect(node(page, /^Tool Write the change.*reached without an approval/)).toHaveCount(1);

  await overlay(page, /^Taint/).click();
  await page.getByRole("list", { name: "Flows, worst first" }).getByRole("button").first().click();
  await page.getByRole("button", { name: "Insert a gate" }).click();
  await expect(asked(page)).toBeVisible();
  await overlay(page, /^Blast radius/).click();
  await expect(panel).toContainText(
    "Before the first approval it could: write 1 path, call 1 tool, read 1 secret, act with 1 credential, reach 0 hosts, spend $0.40.",
  );
  await expect(node(page, /^Approval Approve Write the change.*first approval on the route/)).toHaveCount(1);
});

test("axe finds nothing on any overlay, in light and dark", async ({ page }) => {
  await open(page, "Overlays");
  for (const name of ["Taint", "Secrets", "Authority", "Blast radius"]) {
    await overlay(page, new RegExp(`^${name}`)).click();
    await expect(page.getByRole("tab", { name, exact: true })).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page, name);
  }
});
