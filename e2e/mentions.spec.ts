import { expect } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { expectAccessible } from "./axe.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { query } from "./wire.ts";

const documentOf = (name: string): GraphInput => ({
  format: "countersign/graph/v1",
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  nodes: [{ id: "ask", kind: "approval", title: "Ask", config: { prompt: `May ${name} go on?` } }],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask"],
});

test("a comment on a run mentions a person, who finds it at home until it is read", async ({ page }) => {
  const name = `Mentioned ${Date.now()}`;
  await signInAs(page, "reviewer");
  const { user } = await query<{ user: { name: string } }>(page, "session.current", undefined);
  const reviewer = user.name;
  await signInAs(page, "second builder");
  const run = await startVersion(page, (await publish(page, documentOf(name), name)).hash);
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Comments" }).click();
  const dialog = page.getByRole("dialog", { name: "Comments" });
  await dialog.getByLabel("Comment", { exact: true }).fill(`Look, @${reviewer.slice(0, 3)}`);
  await dialog.getByRole("button", { name: `@${reviewer}` }).click();
  await expect(dialog.getByLabel("Comment", { exact: true })).toHaveValue(`Look, @${reviewer} `);
  await expectAccessible(page, "comments on a run");
  await dialog.getByRole("button", { name: /^Comment/u }).click();
  await expect(dialog.getByText(`Look, @${reviewer}`)).toBeVisible();

  await signInAs(page, "reviewer");
  await page.goto("/");
  const mentions = page.getByRole("region", { name: "Mentions" });
  await expectAccessible(page, "mentions at home");
  await mentions.getByRole("link", { name: new RegExp(name, "u") }).click();
  await expect(page.getByRole("dialog", { name: "Comments" }).getByText(`Look, @${reviewer}`)).toBeVisible();
  await expect(async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(mentions).toHaveCount(0);
  }).toPass();
});

test("an admin's reasons are offered where a reviewer rejects, and are sent as text", async ({ page }) => {
  const name = `Reasoned ${Date.now()}`;
  await signInAs(page, "admin");
  await page.goto("/settings#reasons");
  const section = page.getByRole("region", { name: "Reasons for decisions" });
  await section.getByLabel("Reasons").fill("Wrong customer\nAmount too high");
  await section.getByRole("button", { name: "Save reasons" }).click();
  await expect(page.getByText("Reasons saved")).toBeVisible();
  await signInAs(page, "second builder");
  await startVersion(page, (await publish(page, documentOf(name), name)).hash);
  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `May ${name} go on?` }).click();
  await page.waitForURL("**/approvals/*");
  const decision = page.locator("footer[aria-label=Decision]");
  await decision.getByRole("button", { name: /^Reject/u }).click();
  await decision.getByRole("combobox", { name: "Choose a reason" }).click();
  await page.getByRole("option", { name: "Amount too high" }).click();
  await expect(decision.getByLabel("Reason", { exact: true })).toHaveValue("Amount too high");
  await expectAccessible(page, "a decision with reasons");
  await decision.getByRole("button", { name: "Cancel" }).click();
});
