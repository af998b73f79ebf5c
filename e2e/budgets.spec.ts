import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { faultsOf } from "./axe.ts";
import { decideByKeys, status } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";

const DOCUMENT: GraphInput = {
  format: "countersign/graph/v1",
  id: "asks-for-more",
  name: "Asks for more",
  memory: [{ key: "reply_draft", schema: {} }],
  nodes: [{ id: "answer", kind: "agent", write_keys: ["reply_draft"], failure_policy: { attempts: 1 }, config: { agent_id: "writer" } }],
  edges: [],
  start_node: "answer",
  end_nodes: ["answer"],
  max_token_budget: 1,
  over_budget: "ask",
};

const shoot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["COUNTERSIGN_SHOTS"];
  if (folder === undefined) return;
  for (const scheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${scheme}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 720 });
};

test("a reviewer raises a run's limit, and the run continues and appears in the usage", async ({ page }) => {
  await signInAs(page, "builder");
  const { hash } = await publish(page, DOCUMENT);
  const run = await startVersion(page, hash);
  await page.goto(`/runs/${run}`);
  await expect(status(page)).toContainText("Waiting");

  await test.step("the inbox asks for exactly the higher limit", async () => {
    await signInAs(page, "reviewer");
    await page.goto("/approvals");
    await shoot(page, "inbox");
    await page
      .getByRole("link", { name: /Token limit reached at answer/ })
      .first()
      .click();
    await expect(page.getByText("Raises the limit below. The run continues and may spend up to it.").first()).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: /^Token limit.*1 token.*[\d,]+ tokens/u })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await shoot(page, "request");
    await decideByKeys(page, "approve");
  });

  await test.step("the run continues under the raised limit, which is in its ledger", async () => {
    await page.goto(`/runs/${run}`);
    await expect(status(page)).toContainText("Completed");
    await expect(page.getByText("Limit raised").first()).toBeVisible();
    await shoot(page, "run");
  });

  await test.step("usage shows its cost and tokens, and exports them", async () => {
    await page.goto("/usage");
    const byGraph = page.getByRole("table", { name: "Usage by graph" });
    await expect(byGraph.getByRole("cell", { name: "Asks for more" })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await shoot(page, "usage");
    await page.getByRole("combobox", { name: "Group" }).click();
    await page.getByRole("option", { name: "By person" }).click();
    const byPerson = page.getByRole("table", { name: "Usage by person" });
    await expect(byPerson.getByRole("cell", { name: "Other people" })).toBeVisible();
    await page.getByText("Show as table").click();
    await expect(page.getByRole("table", { name: "Usage over time" }).getByRole("row").nth(1)).toBeVisible();
    await shoot(page, "usage-table");
    await page.goto("/usage?by=graph&days=7");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^usage-by-graph-.*\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toMatch(/^from,graph_id,graph,calls,tokens,micro_usd,median_ms,p95_ms\r\n/);
    expect(text).toContain(",Asks for more,");
  });
});

test("filters of the runs are in the address and kept as a person's view", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/runs?status=completed&took=1d");
  await expect(page.getByText("No matching runs")).toBeVisible();
  await shoot(page, "runs");
  await page.getByRole("button", { name: "Save view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Slow ones");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const view = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Slow ones" });
  await expect(view).toHaveAttribute("aria-current", "true");

  await page.goto("/runs");
  await page.getByLabel("Started from (UTC)").fill("2020-01-01");
  await expect(page).toHaveURL(/from=2020-01-01/);
  await view.click();
  await expect(page).toHaveURL(/\/runs\?status=completed&took=1d$/);
  await expect(page.getByText("No matching runs")).toBeVisible();
  await page.getByRole("button", { name: "Remove Slow ones" }).click();
  await expect(view).toHaveCount(0);
});

test("an admin filters an endpoint and grants it a value", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/webhooks");
  await page.getByRole("button", { name: "Add endpoint…" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Address").fill("https://hooks.example.com/budgets");
  await form.getByRole("checkbox", { name: /^Run ended/ }).check();
  await form.getByText("Filters").click();
  await form.getByRole("checkbox", { name: "Budget exceeded" }).check();
  await shoot(page, "endpoint-form");
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("dialog", { name: "Copy the secret now" }).getByRole("button", { name: "Done" }).click();
  await page.waitForURL(/\/admin\/webhooks\/[0-9a-f-]{36}/);
  await expect(page.getByText(/Only budget exceeded/)).toBeVisible();
  await page.getByRole("button", { name: "Values…" }).click();
  await page.getByRole("textbox", { name: "Memory keys" }).fill("reply_draft");
  await shoot(page, "values");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Values: reply_draft/)).toBeVisible();
  await page.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove endpoint" }).click();
});
