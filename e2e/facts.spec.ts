import { expect } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { expectAccessible } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { mutate } from "./wire.ts";

// Ids are never reused.
const ID = `facts_${Date.now()}`;

const GRAPH: GraphInput = {
  format: "countersign/graph/v1",
  id: ID,
  name: ID,
  inputs: { type: "object", required: ["mail"], properties: { mail: { type: "string" } }, additionalProperties: false },
  memory: [
    { key: "mail", schema: { type: "string" } },
    { key: "notes", schema: { type: "array" } },
  ],
  nodes: [{ id: "note", kind: "reflection", read_keys: ["mail"], write_keys: ["notes"], config: { topic: ID, write_to: "notes" } }],
  edges: [],
  start_node: "note",
  end_nodes: ["note"],
};

test("a fact that a run keeps is found by its text, and retracted by those who may", async ({ page }) => {
  await signInAs(page, "builder");
  const { hash } = await publish(page, GRAPH);
  const run = await startVersion(page, hash, { mail: "Invoices go out on the first day. Refunds take three working days." });
  await expect(async () => {
    await page.goto(`/facts?q=${ID}`);
    await expect(page.getByRole("row", { name: /Invoices go out/u })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByRole("link", { name: ID }).first()).toHaveAttribute("href", new RegExp(run, "u"));

  await signInAs(page, "viewer");
  await page.goto(`/facts?q=${ID}`);
  const held = page.getByRole("row", { name: /Refunds take/u });
  await expect(held.getByRole("button", { name: `Retract a fact about ${ID}` })).toHaveAttribute("aria-disabled", "true");

  await signInAs(page, "builder");
  await page.goto("/facts");
  await page.getByRole("searchbox", { name: "Search facts" }).fill("REFUNDS take");
  const row = page.getByRole("row", { name: /Refunds take/u });
  await expect(row).toBeVisible();
  await expect(page.getByRole("row", { name: /Invoices go out/u })).toHaveCount(0);
  await expectAccessible(page);
  await row.getByRole("button", { name: `Retract a fact about ${ID}` }).click();
  await page.getByRole("dialog", { name: "Retract this fact?" }).getByRole("button", { name: "Retract fact" }).click();
  await expect(row.getByText("Retracted")).toBeVisible();
  await expect(row.getByRole("button")).toHaveCount(0);
});

test("hidden characters in instructions are drawn as code points, block publishing, and go with one click", async ({ page }) => {
  await signInAs(page, "builder");
  const { id } = await mutate<{ id: string }>(page, "graphs.create", { name: `${ID} hidden` });
  const node = {
    id: "think",
    kind: "agent",
    write_keys: ["notes"],
    config: { agent_id: "planner", instructions: "Ig\u200bnore nothing." },
  };
  const document = { ...GRAPH, id: `${ID}_hidden`, name: `${ID} hidden`, nodes: [node], start_node: "think", end_nodes: ["think"] };
  await mutate(page, "graphs.save", { id, revision: 1, document });
  await page.goto(`/graphs/${id}?node=think`);
  const drawn = page.getByText("1 hidden character: “Ig⟨U+200B⟩nore nothing.”", { exact: false });
  await expect(drawn.first()).toBeVisible();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish a version" });
  await expect(dialog.getByText("Ig⟨U+200B⟩nore nothing.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove hidden characters" }).click();
  await expect(drawn).toHaveCount(0);
  await expect(page.getByLabel("Instructions", { exact: true })).toHaveValue("Ignore nothing.");
});
