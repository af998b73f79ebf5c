import { expect } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { foundOwnWorkspace } from "./own-workspace.ts";
import { addProgram } from "./registry.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

// Axe takes seconds per page.
test.describe.configure({ timeout: 120_000 });

type Labelled = { readonly tools: readonly { readonly name: string; readonly effect: string; readonly labelled: boolean }[] };

test("all tools of a server are labelled in one table; a proposal is not in force before that", async ({ page }) => {
  const id = `labels_${Date.now()}`;
  await foundOwnWorkspace(page);
  await addProgram(page, { id, name: "Labels", program: "shop" });
  const { tools } = await query<Labelled>(page, "mcp.get", { id });
  expect(new Set(tools.map(({ effect, labelled }) => `${effect} ${labelled}`))).toEqual(new Set(["irreversible false"]));

  await page.goto(`/admin/mcp/${id}`);
  const list = page.getByRole("list", { name: "Tools" });
  await expect(list.getByText("Not labelled yet (treated as irreversible)")).toHaveCount(tools.length);
  await page.getByRole("button", { name: `Label ${tools.length} tools…` }).click();
  const dialog = page.getByRole("dialog", { name: "Labels of Labels" });
  const reading = dialog.getByRole("row").filter({ hasText: "find_order" });
  await expect(reading).toContainText("Proposal. Not labelled yet (treated as irreversible).");
  await expect(reading.getByRole("combobox", { name: "Effect of find_order" })).toContainText("Read");
  await dialog.getByRole("combobox", { name: "Effect of find_order" }).click();
  await page.getByRole("option", { name: /^Write/ }).click();
  expect(await faultsOf(page), "the table of labels").toEqual([]);
  await dialog.getByRole("button", { name: `Label ${tools.length} tools` }).click();
  await expect(page.getByText("Labels saved.").first()).toBeVisible();

  await expect(dialog).toHaveCount(0);
  await expect(list.getByText("Not labelled yet (treated as irreversible)")).toHaveCount(0);
  const after = await query<Labelled>(page, "mcp.get", { id });
  expect(after.tools.every(({ labelled }) => labelled)).toBe(true);
  expect(after.tools.find(({ name }) => name === "find_order")?.effect).toBe("write");
});
