import { expect, type Page } from "@playwright/test";
import { startRun, status } from "./desk.ts";
import { signInAs, signInAsAuditor } from "./people.ts";
import { test } from "./test.ts";

const verified = async (page: Page): Promise<string> => {
  await page.getByRole("button", { name: "Verify" }).click();
  const dialog = page.getByRole("dialog", { name: "Verify the ledger" });
  await expect(dialog.getByText("Ledger verified")).toBeVisible();
  const shown = await dialog.innerText();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  return shown;
};

test("an auditor reveals a hidden value on record; shredded, it is gone, and the run still verifies in the browser", async ({ page }) => {
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAsAuditor(page);
  await page.goto(run);
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await expect(status(page)).toContainText("Cancelled");
  const state = page.getByRole("region", { name: /^State after record/ });
  const customer = state.getByRole("listitem").filter({ hasText: /^customer/ });
  await expect(customer.getByText("hidden from your role")).toBeVisible();

  await customer.getByRole("button", { name: "Reveal" }).click();
  const dialog = page.getByRole("dialog", { name: "Reveal a hidden value" });
  await dialog.getByLabel("Reason").fill("A subject access request");
  await dialog.getByRole("button", { name: "Record and reveal" }).click();
  await expect(dialog.getByText(/"customer_id"/)).toBeVisible();
  await expect(dialog.getByText(/^Record \d+ logs that you opened this value\.$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(customer.getByText("hidden from your role")).toBeVisible();
  await expect(page.getByText("Sealed value opened").first()).toBeVisible();
  expect(await verified(page)).not.toContain("Values shredded");

  const shredded = await page.request.post("/api/trpc/runs.shred?batch=1", {
    headers: { origin: new URL(page.url()).origin },
    data: { 0: { runId: run.split("/").at(-1), scope: { type: "path", path: "customer" }, reason: "erasure_request" } },
  });
  expect(shredded.status()).toBe(200);
  await page.goto(run);
  await expect(customer.getByText("shredded", { exact: true })).toBeVisible();
  await expect(customer.getByRole("button", { name: "Reveal" })).toBeHidden();
  expect(await verified(page)).toMatch(/Values shredded\s+1, each by a signed record/);
});
