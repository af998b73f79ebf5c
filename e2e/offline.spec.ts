import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import { TAMPER_KINDS } from "@/lib/engine/verify/tamper";
import { tamperLedger, LEDGER_TAMPER_KINDS } from "@/lib/engine/verify/tamper-ledger";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { parseExport } from "@/lib/engine/ledger/export";
import { LEDGER_FOUND_BY, placeOf, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { testWorkspace } from "@/lib/engine/testing/workspace";
import { parseWorkspaceText, formatWorkspace, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { verifierHtml } from "../bin/verifier/build.ts";
import { expectAccessible } from "./axe.ts";
import { startRun } from "./desk.ts";
import { tabTo } from "./keys.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { mutate } from "./wire.ts";

// Tries each tampering; axe takes seconds.
test.describe.configure({ timeout: 480_000 });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-offline-"));
const verifierFile = path.join(folder, "verifier.html");

test.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string): string => {
  const at = path.join(folder, name);
  fs.writeFileSync(at, content);

  return at;
};

const open = async (page: Page): Promise<readonly string[]> => {
  fs.writeFileSync(verifierFile, await verifierHtml(path.resolve(import.meta.dirname, "..")));
  // The previous page's requests must not count.
  await page.goto("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) asked.push(request.url());
  });
  page.on("pageerror", (error) => asked.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") asked.push(message.text());
  });
  await page.goto(pathToFileURL(verifierFile).href);
  await expect(page.getByText("Signatures are checked with")).toBeVisible();

  return asked;
};

const give = async (page: Page, ...files: readonly string[]): Promise<void> => {
  const again = page.getByRole("button", { name: "Clear files" });
  if (await again.isVisible()) {
    await tabTo(page, again);
    await page.keyboard.press("Enter");
  }
  await page.getByLabel(/Add files/).setInputFiles([...files]);
};

const result = (page: Page) => page.getByRole("alert");

/** Original keys and newest checkpoint. */
const besides = ({ checkpoints, public_keys }: WorkspaceExport): readonly string[] => {
  const last = checkpoints.at(-1);
  if (!last) throw new Error("there is no checkpoint");
  const kept = { format: "countersign/checkpoint/v1", checkpoints: [{ signed: last.signed, since: null }], public_keys };

  return [file("keys.json", JSON.stringify(public_keys)), file("kept.json", JSON.stringify(kept))];
};

test("exports verify from a file with keys and a kept checkpoint, and each tampering is found", async ({ page }) => {
  await signInAs(page, "builder");
  const run = (await startRun(page, /^Scripted: honest/)).slice("/runs/".length);
  await signInAs(page, "admin");
  await mutate(page, "ledger.takeCheckpoint", undefined);
  await mutate(page, "runs.attest", { runId: run });
  const whole = parseWorkspaceText(await (await page.request.get("/api/ledger/export")).text());
  const single = parseExport(await (await page.request.get(`/api/runs/${run}/export`)).json());
  if (!whole.ok || !single.ok) throw new Error("there is no export");
  const asked = await open(page);
  const beside = besides(whole.value);

  await give(page, file("workspace.jsonl", formatWorkspace(whole.value)), ...beside);
  await expect(result(page)).toContainText("Workspace verified", { timeout: 60_000 });
  await expect(result(page)).not.toContainText("Before you rely on it");
  for (const kind of TAMPER_KINDS) {
    const tampered = tamperWorkspace(kind, whole.value);
    if (!tampered) throw new Error(`there is too little for ${kind}`);
    await give(page, file("tampered.jsonl", formatWorkspace(tampered.document)), ...beside);
    const { run: bad, seq } = placeOf(kind, tampered);
    const place = bad === null ? "The log is invalid" : seq === null ? `Run ${bad} is invalid` : `Record ${seq} of run ${bad} is invalid`;
    await expect(result(page), kind).toContainText(`${place}: ${WORKSPACE_FOUND_BY[kind]}`, { timeout: 60_000 });
  }
  await give(page, file("run.json", JSON.stringify(single.value)), beside[0] ?? "");
  await expect(result(page)).toContainText("Run verified", { timeout: 60_000 });
  for (const kind of LEDGER_TAMPER_KINDS) {
    const tampered = tamperLedger(kind, single.value.ledger);
    if (!tampered) throw new Error(`there is too little for ${kind}`);
    await give(page, file("tampered.json", JSON.stringify({ ...single.value, ledger: tampered.document })), beside[0] ?? "");
    // The signed head finds a rollback that includes the head.
    const reason = kind === "rollback" ? "truncated" : LEDGER_FOUND_BY[kind];
    await expect(result(page), kind).toContainText(`Record ${tampered.seq} of run ${run} is invalid: ${reason}`, { timeout: 60_000 });
  }
  expect(asked).toEqual([]);
});

test("works by keyboard, passes axe in light and dark, and says what it cannot verify without kept inputs", async ({ page }) => {
  const { document } = await testWorkspace();
  await open(page);
  await expectAccessible(page, "empty");
  await tabTo(page, page.getByLabel(/Add files/));
  await give(page, file("workspace.jsonl", formatWorkspace(document)), file("nothing.txt", "nothing"));
  await expect(result(page)).toContainText("Workspace verified");
  await expect(result(page)).toContainText("No checkpoint kept elsewhere was added");
  await expect(result(page)).toContainText("The keys come from the document itself");
  await expect(page.getByText("nothing.txt: not recognised.")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, page.getByRole("button", { name: "Clear files" }));
  await page.keyboard.press("Enter");
  await expect(result(page)).toBeEmpty();
});

test("without native Ed25519, signatures are checked in JavaScript, and the page says so", async ({ page }) => {
  const { document } = await testWorkspace();
  await page.addInitScript(() => {
    Object.defineProperty(SubtleCrypto.prototype, "importKey", { value: () => Promise.reject(new Error("not supported")) });
  });
  fs.writeFileSync(verifierFile, await verifierHtml(path.resolve(import.meta.dirname, "..")));
  await page.goto(pathToFileURL(verifierFile).href);
  await expect(page.getByText("signatures are checked in JavaScript")).toBeVisible();
  await give(page, file("workspace.jsonl", formatWorkspace(document)));
  await expect(result(page)).toContainText("Workspace verified", { timeout: 60_000 });
  const [first, ...others] = document.records;
  if (!first) throw new Error("there is a record");
  const signature = others[0]?.signature ?? "";
  await give(page, file("bad.jsonl", formatWorkspace({ ...document, records: [{ ...first, signature }, ...others] })));
  await expect(result(page)).toContainText("is invalid: signature", { timeout: 60_000 });
});
