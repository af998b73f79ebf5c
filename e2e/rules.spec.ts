import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { openApproval, startRun } from "./desk.ts";
import { signInAs, signInAsAuditor } from "./people.ts";
import { test } from "./test.ts";
import { publish } from "./versions.ts";
import { mutate } from "./wire.ts";

const RULE = "A run's total credit_cents from 1.00 in update_plan on customers";

const choose = async (page: Page, list: string, option: string): Promise<void> => {
  await page.getByRole("dialog").getByLabel(list, { exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

test("an admin demands two approvals for a run's total amount, a reviewer sees why, and a second admin confirms the removal", async ({
  page,
}) => {
  await signInAs(page, "admin");
  await page.goto("/admin/rules");
  await page.getByRole("button", { name: "Add rule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an approval rule" });
  await choose(page, "Tool", "update_plan on customers");
  await choose(page, "Amount", "credit_cents");
  await dialog.getByLabel("From", { exact: true }).fill("one");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  await expect(dialog.getByText("Enter an amount such as 1000 or 1000.50.")).toBeVisible();
  await dialog.getByLabel("From", { exact: true }).fill("1");
  await dialog.getByRole("checkbox", { name: "Add up this tool's calls in the run" }).click();
  await choose(page, "Approvals", "2 different people");
  await expectAccessible(page, "the form");
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const row = page.getByRole("row", { name: RULE });
  await expect(row).toContainText("2 approvals");

  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAs(page, "reviewer");
  await page.goto("/approvals");
  const asked = page.getByRole("row").filter({ hasText: "Workspace rule" });
  await expect(asked.getByTitle(`${RULE} needs 2 approvals.`)).toBeVisible();
  await expectAccessible(page, "the inbox");
  await openApproval(page, run);
  await expect(page.getByText(`Workspace rule: ${RULE} needs 2 approvals.`)).toBeVisible();
  await expect(page.getByText("0 of 2 approvals")).toBeVisible();
  await expectAccessible(page, "the request");

  await signInAs(page, "admin");
  await page.goto("/admin/rules");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask a second admin" }).click();
  await expect(row).toContainText("A different admin must confirm.");
  await signInAsAuditor(page);
  await page.goto("/admin/rules");
  await expectAccessible(page, "the rules");
  await row.getByRole("button", { name: /^Confirm/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove rule" }).click();
  await expect(page.getByText("No approval rules yet")).toBeVisible();
});

const REGIONAL = {
  format: "countersign/graph/v1",
  id: "regional",
  name: "Regional",
  memory: [{ key: "region", schema: { type: "string" } }],
  nodes: [{ id: "name", kind: "transform", write_keys: ["region"], config: { set: [{ path: "region", value: "env.REGION" }] } }],
  edges: [],
  start_node: "name",
  end_nodes: ["name"],
};

const KEY = "sk-canary-of-development";

/** In Development, where it is removed again with its provider. */
const setOwnKey = async (page: Page): Promise<void> => {
  const provider = { id: "by-place", kind: "openai", name: "By place", base_url: null, allow_local: false };
  await mutate(page, "models.change", { change: { type: "add_provider", provider, key: "sk-of-all-others" } });
  await page.goto("/admin/models");
  const row = page.getByRole("table", { name: "Model providers" }).getByRole("row", { name: /By place/u });
  const keys = page.getByRole("dialog", { name: "Keys of By place by environment" });
  const open = () => row.getByRole("button", { name: "Keys of By place by environment" }).click();
  await open();
  await expect(keys.getByText("Runs here use the provider's key.")).toBeVisible();
  await keys.getByLabel("Key", { exact: true }).fill("short");
  await keys.getByRole("button", { name: "Store key" }).click();
  await expect(keys.getByText("A key is 8 to 2,000 characters without spaces.")).toBeVisible();
  await keys.getByLabel("Key", { exact: true }).fill(KEY);
  await expectAccessible(page, "the keys");
  await keys.getByRole("button", { name: "Store key" }).click();
  await expect(row.getByText("Own key in Development")).toBeVisible();
  expect(await page.content()).not.toContain(KEY);
  await expectAccessible(page, "the providers");
  await open();
  await keys.getByRole("button", { name: "Remove key" }).click();
  await expect(row.getByText("Own key in Development")).toBeHidden();
  await row.getByRole("button", { name: "Remove…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove provider" }).click();
  await expect(row).toBeHidden();
};

/** In Development alone. */
const demandPasskeys = async (page: Page): Promise<void> => {
  await page.goto("/settings");
  const places = page.getByRole("list", { name: "Passkeys by environment" }).getByRole("listitem");
  await expect(places).toContainText([/Development\s*As above\./u, /Production\s*As above\./u]);
  await places.getByRole("button", { name: "Require passkeys for writes… in Development" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Require passkeys" }).click();
  await expect(places).toContainText([/Development\s*Writes require a passkey\./u, /Production\s*As above\./u]);
  await places.getByRole("button", { name: "Let graphs decide… in Development" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask a second admin" }).click();
  await expect(page.getByText("You asked to let graphs decide about passkeys in Development")).toBeVisible();
  await expectAccessible(page, "the policies");
};

test("an admin adds an environment with a variable, a builder promotes a version from it, and it is removed again", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/admin/environments");
  await page.getByRole("button", { name: "Add environment…" }).click();
  const adding = page.getByRole("dialog", { name: "Add an environment" });
  await adding.getByLabel("Title", { exact: true }).fill("Development");
  // The demand for passkeys outlives the environment.
  await adding.getByLabel("Id", { exact: true }).fill(`dev-${randomUUID().slice(0, 8)}`);
  await adding.getByRole("button", { name: "Add environment" }).click();
  await expect(page.getByText("Versions are published here")).toBeVisible();
  const define = async (environment: string, value: string): Promise<void> => {
    await page.getByRole("button", { name: `Edit variables of ${environment}` }).click();
    const editing = page.getByRole("dialog", { name: `Variables of ${environment}` });
    await editing.getByRole("button", { name: "Add variable" }).click();
    await editing.getByLabel("Name", { exact: true }).fill("region");
    await editing.getByRole("button", { name: "Save variables" }).click();
    await expect(editing.getByText("Use up to 50 capital letters")).toBeVisible();
    await editing.getByLabel("Name", { exact: true }).fill("REGION");
    await editing.getByLabel("Value", { exact: true }).fill(value);
    await expectAccessible(page, "the variables");
    await editing.getByRole("button", { name: "Save variables" }).click();
    await expect(page.getByRole("table", { name: `Variables of ${environment}` })).toContainText(value);
  };
  await define("Development", "dev-1");
  await expectAccessible(page, "the environments");

  await signInAs(page, "builder");
  const { id } = await publish(page, REGIONAL);
  await page.goto(`/graphs/${id}?panel=versions`);
  await expect(page.getByText("Live in Development")).toBeVisible();
  await page.getByRole("button", { name: /^Promote to Production/ }).click();
  const promoting = page.getByRole("dialog", { name: /^Promote/ });
  await expect(promoting.getByText("Production lacks env.REGION")).toBeVisible();

  await signInAs(page, "admin");
  await page.goto("/admin/environments");
  await define("Production", "eu-1");
  await signInAs(page, "builder");
  await page.goto(`/graphs/${id}?panel=versions`);
  await page.getByRole("button", { name: /^Promote to Production/ }).click();
  await expectAccessible(page, "the promotion");
  await promoting.getByRole("button", { name: "Promote", exact: true }).click();
  await expect(page.getByText("Live in Production")).toBeVisible();

  await signInAs(page, "admin");
  await setOwnKey(page);
  await demandPasskeys(page);
  await page.goto("/admin/environments");
  await page.getByRole("button", { name: "Remove Development" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove environment" }).click();
  await expect(page.getByText("Versions are published here, and runs start here")).toBeVisible();
});
