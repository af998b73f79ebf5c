import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { startRun } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

type Bundle = {
  readonly ledger: {
    readonly records: { seq: number; body: string }[];
    readonly cells: readonly { opened: unknown; label: { confidentiality: string } }[];
  };
  readonly head_signed: { readonly statement: { readonly version: number } };
};

const exported = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "More run actions" }).click();
  await page.getByRole("menuitem", { name: "Export bundle…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export this run" });
  await expect(dialog.getByText("Values hidden from you stay hidden")).toBeVisible();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const file = await download;
  await expect(dialog).toHaveCount(0);

  return readFile(await file.path(), "utf8");
};

const choose = (page: Page, name: string, text: string): Promise<void> =>
  page.getByLabel("Bundle", { exact: true }).setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });

test("a viewer exports a run without hidden values; the file verifies here, stays, and every change to it is named", async ({ page }) => {
  test.setTimeout(240_000);
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAs(page, "viewer");
  await page.goto(run);
  const text = await exported(page);
  const bundle = JSON.parse(text) as Bundle;
  const { records, cells } = bundle.ledger;

  await test.step("the export has the signed head and no value hidden from a viewer", () => {
    expect(bundle.head_signed.statement.version).toBe(records.length);
    const above = cells.filter(({ label }) => label.confidentiality === "pii" || label.confidentiality === "secret");
    expect(above.length).toBeGreaterThan(0);
    expect(above.every(({ opened }) => opened === null)).toBe(true);
  });

  await test.step("a file that was tampered with, truncated or of another kind says so in one sentence", async () => {
    await page.goto("/runs/import");
    await expect(page.getByText("No bundles yet")).toBeVisible();
    await expectAccessible(page, "the import page");
    const changed = records.map((record) => (record.seq === 3 ? { ...record, body: record.body.replace('"v":1', '"v":1 ') } : record));
    await choose(page, "tampered.json", JSON.stringify({ ...bundle, ledger: { ...bundle.ledger, records: changed } }));
    await expect(page.getByText("Record 3 is invalid")).toBeVisible();
    await choose(page, "broken.json", text.slice(0, -100));
    await expect(page.getByText("Damaged file")).toBeVisible();
    await choose(page, "foreign.json", '{"hello": "world"}');
    await expect(page.getByText("Not a bundle")).toBeVisible();
    await expect(page.getByText("No bundles yet")).toBeVisible();
  });

  await test.step("the whole file opens read-only, names the trusted keys, and survives a reload", async () => {
    await choose(page, "run.json", text);
    await expect(page.getByText("Imported file, verified with this installation's keys")).toBeVisible();
    await expect(page.getByRole("listbox", { name: "Records" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Fork from here" })).toHaveCount(0);
    await expectAccessible(page, "an opened bundle");
    await page.reload();
    await expect(page.getByText("Imported file, verified with this installation's keys")).toBeVisible();
    await expect(page.getByRole("listbox", { name: "Records" })).toBeVisible();
  });

  await test.step("lists the file and removes it", async () => {
    await page.getByRole("link", { name: "Bundles" }).click();
    await expect(page.getByRole("link", { name: "run.json" })).toBeVisible();
    await page.getByRole("button", { name: "Remove run.json" }).click();
    await expect(page.getByText("No bundles yet")).toBeVisible();
  });

  await test.step("says that a file with only its own key is merely self-consistent", async () => {
    await page.getByLabel("Trusted keys").click();
    await page.getByRole("option", { name: /^Only the keys/ }).click();
    await choose(page, "own.json", text);
    await expect(page.getByText("verified only with the keys in the file", { exact: false }).first()).toBeVisible();
  });
});

test("a run is replayed, restarted, and searched for its attempts", async ({ page }) => {
  test.setTimeout(240_000);
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.getByText("Replay matches the run")).toBeVisible();
  await expect(page.getByText("What this does not prove")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "View refused proposals" }).click();
  await expect(page.getByRole("dialog", { name: "Refused proposals" }).getByText("No refused or rejected proposals")).toBeVisible();
  await page.keyboard.press("Escape");

  const writer = page.getByRole("button", { name: /^Who wrote request\? Record \d+/ });
  await writer.click();
  const panel = page.getByRole("dialog", { name: "Provenance of request" });
  await expect(panel.getByRole("list", { name: "Sources" }).getByText("from outside").first()).toBeVisible();
  await panel.getByRole("tab", { name: /^Used by/ }).click();
  await expect(panel.getByRole("list", { name: "Used by" })).toBeVisible();
  await expect(page).toHaveURL(/path=request/);
  await expectAccessible(page, "the panel of slices");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);

  await page.getByRole("button", { name: "More run actions" }).click();
  await page.getByRole("menuitem", { name: "Run again…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run again" }).click();
  await page.waitForURL((url) => /^\/runs\/[0-9a-f-]{36}$/u.test(url.pathname) && url.pathname !== run);
  await expect(page.getByText(/forked from/)).toContainText(run.slice(6, 14));
  await expect(page.getByText("Simulation: no tools are called")).toHaveCount(0);
});
