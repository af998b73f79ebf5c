import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { node, openPanel, savedRevision } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { describeGraph, importHere, importNew } from "./transfer.ts";

const SECRET = `ghp_${"a1B2c3D4e5".repeat(4)}`;

const openExport = async (page: Page): Promise<Locator> => {
  await openPanel(page, "Versions");
  await page.getByRole("button", { name: "Export" }).click();

  return page.getByRole("dialog", { name: /^Export / });
};

const hashIn = async (dialog: Locator): Promise<string> =>
  (await dialog.getByRole("button", { name: /content hash/ }).getAttribute("title")) ?? "";

/** @returns text and hash */
const download = async (page: Page, form: "JSON" | "YAML"): Promise<{ readonly text: string; readonly hash: string }> => {
  const dialog = await openExport(page);
  await dialog.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: form }).click();
  const hash = await hashIn(dialog);
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toContain(`${hash.slice(0, 8)}.${form.toLowerCase()}`);
  const text = await readFile(await file.path(), "utf8");
  await page.keyboard.press("Escape");

  return { text, hash };
};

test("export and import keep the content hash, as JSON and as YAML", async ({ page }) => {
  const name = `Transfer ${Date.now()}`;
  await signInAs(page, "builder");
  await importNew(page, { name, reads: ["request"], instructions: "Say:\n- yes\n# or no\t\n\nTruly." });
  const files = [await download(page, "JSON"), await download(page, "YAML")];
  expect(files[0]?.hash).toBe(files[1]?.hash);

  for (const { text, hash } of files) {
    await page.goto("/graphs");
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog", { name: "Import a graph" });
    await dialog.getByLabel("File").setInputFiles({ name: "graph.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
    expect(await hashIn(dialog)).toBe(hash);
    await dialog.getByRole("button", { name: "Create new graph" }).click();
    await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
    await savedRevision(page);
    const copy = await openExport(page);
    expect(await hashIn(copy)).toBe(hash);
    await page.keyboard.press("Escape");
  }
});

test("a secret never leaves, and is warned about while in the draft", async ({ page }) => {
  await signInAs(page, "builder");
  await importNew(page, { name: `Secret ${Date.now()}`, reads: ["request"], instructions: `Log in with ${SECRET} first.` });
  await openPanel(page, /^Problems/);
  await expect(page.getByText(/config\.instructions looks like it contains a secret \(GitHub token\)/)).toBeVisible();

  const dialog = await openExport(page);
  await expect(dialog.getByText("1 text looks like a secret and is left out")).toBeVisible();
  await expect(dialog.getByText("nodes.0.config.instructions")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  for (const form of ["JSON", "YAML"] as const) {
    const { text } = await download(page, form);
    expect(text).not.toContain(SECRET.slice(4));
    expect(text).toContain("secret_left_out_1");
  }
});

test("a file is applied to a draft as one edit with its diff; bad text changes nothing", async ({ page }) => {
  const name = `Import ${Date.now()}`;
  await signInAs(page, "builder");
  await importNew(page, { name, reads: ["request"] });
  await openPanel(page, "Versions");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a graph" });
  const field = dialog.getByLabel("JSON or YAML");
  const put = dialog.getByRole("button", { name: "Replace this draft" });

  await test.step("faults name their line and block the import", async () => {
    await field.fill("format: countersign/graph/v1\nnodes: []\nnodes: []\n");
    await expect(dialog.getByText("Line 3, column 1")).toBeVisible();
    await expect(dialog.getByText('The property "nodes" appears twice.')).toBeVisible();
    await expect(put).toHaveAttribute("aria-disabled", "true");
    await field.fill('{"nodes": {"__proto__": {}}}');
    await expect(dialog.getByText("A property must not be called __proto__.")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("valid text shows its diff and the parts missing here", async () => {
    await field.fill(describeGraph({ name, reads: ["request", "write_result"] }).replace('"writer"', '"somebody_else"'));
    const changes = dialog.getByRole("region", { name: "What would change" });
    await expect(changes.getByText("Changed", { exact: true })).toHaveCount(1);
    await changes.getByText("What changed").click();
    await expect(changes.getByText("config.agent_id")).toBeVisible();
    await expect(dialog.getByText("1 dependency is missing")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(node(page, /^Agent Think/)).toBeVisible();
  });

  await test.step("importing saves, and one undo reverts it", async () => {
    const before = await savedRevision(page);
    await importHere(page, describeGraph({ name, reads: ["request"], description: "From a file" }));
    await openPanel(page, "Graph");
    await expect(page.getByLabel("Description").first()).toHaveValue("From a file");
    await expect.poll(() => savedRevision(page)).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByLabel("Description").first()).toHaveValue("");
  });
});
