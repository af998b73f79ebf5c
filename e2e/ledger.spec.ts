import { generateKeyPairSync } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { TAMPER_KINDS, TAMPER_TEXT, type TamperKind } from "@/lib/engine/verify/tamper";
import { computeKid, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { LEDGER_TAMPER_KINDS } from "@/lib/engine/verify/tamper-ledger";
import { LEDGER_FOUND_BY, WORKSPACE_FOUND_BY } from "@/lib/engine/testing/tampered";
import { expectAccessible, faultsOf } from "./axe.ts";
import { startRun, status } from "./desk.ts";
import { choose, goTo, openTab, pressOn, tabTo, typeInto } from "./keys.ts";
import { signInAs } from "./people.ts";
import { rollBack } from "./rollback.ts";
import { test } from "./test.ts";
import { mutate, query } from "./wire.ts";

// Tries each tampering; axe takes seconds.
test.describe.configure({ timeout: 480_000 });

/** Without the router's page announcer. */
const alert = (page: Page) => page.locator('[role="alert"]:not(#__next-route-announcer__)').filter({ hasText: /\S/ });

/** Used by no other test. */
const endedRun = async (page: Page): Promise<string> => {
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  const id = run.slice("/runs/".length);
  await mutate(page, "runs.cancel", { runId: id });
  await expect(status(page)).toContainText(/Cancelled/i);

  return id;
};

const openLedger = async (page: Page): Promise<void> => {
  await page.goto("/runs");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await goTo(page, "l", /\/ledger$/);
  await expect(page.getByRole("heading", { level: 1, name: "Ledger" })).toBeVisible();
};

const takeCheckpoint = async (page: Page): Promise<void> => {
  await pressOn(page, page.getByRole("button", { name: "Take checkpoint" }));
  await expect(page.getByText(/Checkpoint taken\. It covers [\d,]+ records/).first()).toBeVisible();
};

test("the runner takes consistent checkpoints with inclusion proofs, checked in this browser", async ({ page }) => {
  const first = await endedRun(page);
  await openLedger(page);
  await takeCheckpoint(page);
  await endedRun(page);
  await openLedger(page);
  await takeCheckpoint(page);
  await expect(page.getByRole("table", { name: "Checkpoints" }).getByRole("row").nth(2)).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Check in this browser" }));
  await expect(page.getByText(/Consistent: the first [\d,]+ of [\d,]+ records are unchanged/)).toBeVisible();

  await typeInto(page, page.getByLabel("Run", { exact: true }), first);
  await typeInto(page, page.getByLabel("Record", { exact: true }), "1");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Record 1 is included: entry [\d,]+ of [\d,]+ in the latest checkpoint/)).toBeVisible();
  await typeInto(page, page.getByLabel("Record", { exact: true }), "99999");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No checkpoint covers this record")).toBeVisible();
  await expectAccessible(page);
});

test("the whole workspace verifies in this browser, which remembers it and demands consistency", async ({ page }) => {
  await endedRun(page);
  await openLedger(page);
  await takeCheckpoint(page);
  await expect(page.getByText("This browser has not verified this ledger yet")).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Verify in this browser" }));
  await expect(page.getByText("Workspace verified")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("that the holder of the signing key has no second history")).toBeVisible();
  await page.reload();
  await expect(page.getByText("The log extends what this browser has seen")).toBeVisible();

  // A rolled-back database.
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const open = indexedDB.open("countersign.ledger");
      open.addEventListener("success", () => resolve(open.result));
      open.addEventListener("error", () => reject(new Error("no database")));
    });
    const store = database.transaction("workspaces", "readwrite").objectStore("workspaces");
    await new Promise<void>((resolve) => {
      const cursor = store.openCursor();
      cursor.addEventListener("success", () => {
        const at = cursor.result;
        if (!at) return resolve();
        const signed = at.value as { checkpoint: { count: number } };
        at.update({ ...signed, checkpoint: { ...signed.checkpoint, count: signed.checkpoint.count + 1_000 } });
        at.continue();
      });
    });
    database.close();
  });
  await page.reload();
  await expect(alert(page)).toContainText("fewer records than this browser has seen");
  await expect(alert(page)).toContainText("Don't rely on this ledger until the cause is known");
  expect(await faultsOf(page)).toEqual([]);
  await pressOn(page, page.getByRole("button", { name: "Forget…" }));
  await expect(page.getByRole("dialog")).toContainText("cannot be undone");
  await pressOn(page, page.getByRole("dialog").getByRole("button", { name: "Forget" }));
  await expect(page.getByText("This browser has not verified this ledger yet")).toBeVisible();
});

test("a run rolled back in the database no longer matches what this browser verified, and it says so", async ({ page }) => {
  const run = await endedRun(page);
  const verify = async () => {
    await page.goto(`/runs/${run}`);
    await pressOn(page, page.getByRole("button", { name: "Verify", exact: true }));
  };
  await verify();
  await expect(page.getByText("Ledger verified")).toBeVisible();
  const putBack = await rollBack(run, 2);
  try {
    await verify();
    await expect(alert(page)).toContainText("head_shorter");
    await expect(page.getByText("Last verified in this browser:", { exact: true })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
  } finally {
    await putBack();
  }
  await verify();
  await expect(page.getByText("Ledger verified")).toBeVisible();
  await expect(page.getByText("Compared with the last verification in this browser:")).toBeVisible();
});

/** Raw and base64url. */
const unknownKey = (): string => generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x ?? "";

test("reports signing keys that no handover explains, and verifies with the ones seen before", async ({ page }) => {
  await endedRun(page);
  await openLedger(page);
  await takeCheckpoint(page);
  const { anchor } = await query<{ anchor: TrustAnchor }>(page, "ledger.overview", undefined);
  const [key] = anchor.keys;
  const other = unknownKey();
  const isLedgerPage = (url: URL) => url.pathname === "/ledger";
  await page.route(isLedgerPage, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: html.replaceAll(key?.public_key ?? "", other).replaceAll(key?.kid ?? "", computeKid(other)),
    });
  });
  await page.reload();
  const alarm = alert(page).filter({ hasText: "The signing keys changed without a signed handover" });
  await expect(alarm).toContainText(key?.kid ?? "");
  await expect(alarm).toContainText(computeKid(other));
  expect(await faultsOf(page)).toEqual([]);

  await page.unroute(isLedgerPage);
  await page.reload();
  await expect(
    page
      .getByText("Not confirmed")
      .or(page.getByRole("heading", { name: "Checkpoints" }))
      .first(),
  ).toBeVisible();
  await expect(page.getByText("The signing keys changed without a signed handover")).toHaveCount(0);
});

const tamper = async (page: Page, kind: TamperKind, reason: string): Promise<void> => {
  await choose(page, "Tampering", TAMPER_TEXT[kind].title);
  await expect(page.getByText(TAMPER_TEXT[kind].what)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Before" })).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Verify the copy" }));
  await expect(alert(page), kind).toContainText(`is invalid: ${reason}`, { timeout: 60_000 });
};

test("the tamper lab finds each kind of tampering with a copy and changes nothing", async ({ page }) => {
  const run = await endedRun(page);
  await openLedger(page);
  await takeCheckpoint(page);
  await openTab(page, /Tamper lab/);
  await expect(page.getByText("Nothing changes on the server")).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Make a copy" }));
  await expect(page.getByText("records in the copy")).toBeVisible({ timeout: 60_000 });
  for (const kind of TAMPER_KINDS) await tamper(page, kind, WORKSPACE_FOUND_BY[kind]);
  await expectAccessible(page);

  await choose(page, "Copy of", `Run ${run.slice(0, 8)} Support desk under attack`);
  await expect(page.getByText("records in the copy")).toBeVisible({ timeout: 60_000 });
  for (const kind of LEDGER_TAMPER_KINDS) await tamper(page, kind, LEDGER_FOUND_BY[kind]);
  await page.goto(`/runs/${run}`);
  await pressOn(page, page.getByRole("button", { name: "Verify", exact: true }));
  await expect(page.getByText("Ledger verified")).toBeVisible();
});

test("keys are compared once and then recognised; people who may not export learn why", async ({ page }) => {
  await signInAs(page, "viewer");
  await openLedger(page);
  await openTab(page, /Keys/);
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await pressOn(page, page.getByRole("button", { name: "Confirm fingerprint" }));
  await expect(page.getByText("Confirmed here")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Confirmed here")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await tabTo(page, page.getByRole("button", { name: "Export" }));
  await expect(page.getByText("Needs admin or auditor; you are viewer").first()).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Take checkpoint" }));
  await expect(page.getByText("Needs builder or reviewer or admin; you are viewer").first()).toBeVisible();
  expect((await page.request.get("/api/ledger/export")).status()).toBe(403);
  expect((await page.request.get("/api/ledger/records")).status()).toBe(200);
  await page.context().clearCookies();
  expect((await page.request.get("/api/ledger/records")).status()).toBe(401);
});
