/** What a hostile agent could do, seen on the drawing before anything runs: flows, their fixes, and somebody assumed to be hostile. */
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { faultsOf } from "./axe.ts";
import { edge, node } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

/** An answer of the customers server shapes what an agent plans, and that is written with nobody asked. */
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

const overlay = (page: Page, name: RegExp) => page.getByRole("group", { name: "Look at the graph" }).getByRole("button", { name });
const card = (page: Page) => page.getByRole("region", { name: "The flow that is looked at" });
const asked = (page: Page) => node(page, /^Approval Approve Write the change/);

const open = async (page: Page, name: string): Promise<void> => {
  await signInAs(page, "builder");
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name });
  await mutate(page, "graphs.save", { id, revision: 1, document: { ...UNGATED, name } });
  await page.goto(`/graphs/${id}`);
};

test("inserting the offered gate removes the red flow, by keyboard alone, and undo brings it back", async ({ page }) => {
  await open(page, "Ungated change");
  const write = node(page, /^Tool Write the change.*nobody is asked/);

  await test.step("the plain graph says how many flows are open; v lays them over the drawing", async () => {
    await expect(overlay(page, /^Taint 1 open$/)).toBeVisible();
    await page.keyboard.press("v");
    await expect(page).toHaveURL(/overlay=taint/);
    await expect(write).toContainText("Nobody is asked");
    await expect(node(page, /^Agent Plan the change.*something untrusted comes in here/)).toContainText("Untrusted comes in");
    await expect(edge(page, "plan", "write")).toHaveAttribute("aria-label", /carries something untrusted/);
  });

  await test.step("Enter on the red node shows why in one sentence, and the way is lit step by step", async () => {
    await write.focus();
    await page.keyboard.press("Enter");
    await expect(card(page)).toBeFocused();
    await expect(card(page)).toContainText(
      "“Write the change” calls customers__update_plan, which changes data outside the run, and tool results of Plan the change can influence it without an approval.",
    );
    const steps = card(page).getByRole("list", { name: "How it gets there" });
    await page.keyboard.press(".");
    await expect(steps.locator("[aria-current=step]")).toHaveText(/^Plan the change/);
    await page.keyboard.press(".");
    await expect(steps.locator("[aria-current=step]")).toHaveText(/^change/);
    await expect(node(page, /^Agent Plan the change/)).toContainText("1 ·");
  });

  await test.step("the offered gate stands on every way to it, and nothing is red any more", async () => {
    await card(page).getByRole("button", { name: "Insert a gate" }).focus();
    await page.keyboard.press("Enter");
    await expect(asked(page)).toBeVisible();
    await expect(edge(page, "plan", "approve_write")).toHaveCount(1);
    await expect(edge(page, "approve_write", "write")).toHaveCount(1);
    await expect(edge(page, "plan", "write")).toHaveCount(0);
    await expect(node(page, /nobody is asked/)).toHaveCount(0);
    await expect(overlay(page, /^Taint$/)).toBeVisible();
    await expect(card(page)).toBeFocused();
    await expect(card(page)).toContainText("A person decides");
    await page.getByRole("tab", { name: /^Problems/ }).click();
    await expect(page.getByText("Error", { exact: true })).toHaveCount(0);
  });

  await test.step("the overlay follows what is drawn: undone, the flow is open again, and redone it is not", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(overlay(page, /^Taint 1 open$/)).toBeVisible();
    await expect(write).toContainText("Nobody is asked");
    await page.getByRole("button", { name: "Redo" }).click();
    await expect(overlay(page, /^Taint$/)).toBeVisible();
  });
});

test("assuming that an agent is hostile says what it could do before a person sees anything, and less behind a gate", async ({ page }) => {
  await open(page, "Hostile planner");
  await overlay(page, /^Hostile/).click();
  const panel = page.getByRole("region", { name: "Assumed to be hostile" });
  await panel.getByRole("combobox", { name: "Assume this is hostile" }).click();
  await page.getByRole("option", { name: "Agent Change planner" }).click();
  await expect(panel).toContainText(
    "Before the first approval it could: write 2 paths, call 2 tools, read 1 secret, act with 1 credential, reach 0 hosts, spend $0.40.",
  );
  await expect(node(page, /^Agent Plan the change.*assumed to be hostile/)).toContainText("Hostile");
  await expect(node(page, /^Tool Write the change.*reached with nobody asked/)).toHaveCount(1);

  await overlay(page, /^Taint/).click();
  await page.getByRole("list", { name: "Flows, worst first" }).getByRole("button").first().click();
  await page.getByRole("button", { name: "Insert a gate" }).click();
  await expect(asked(page)).toBeVisible();
  await overlay(page, /^Hostile/).click();
  await expect(panel).toContainText(
    "Before the first approval it could: write 1 path, call 1 tool, read 1 secret, act with 1 credential, reach 0 hosts, spend $0.40.",
  );
  await expect(node(page, /^Approval Approve Write the change.*meets it first/)).toHaveCount(1);
});

test("every overlay is sound for axe, in light and in dark", async ({ page }) => {
  await open(page, "Overlays");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["Taint", "Secrets", "Authority", "Hostile"]) {
      await overlay(page, new RegExp(`^${name}`)).click();
      await expect(page.getByRole("tab", { name, exact: true })).toHaveAttribute("aria-selected", "true");
      expect(await faultsOf(page), `${name} in ${scheme}`).toEqual([]);
    }
  }
});
