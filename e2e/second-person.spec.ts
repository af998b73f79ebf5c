import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { openPanel } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { importText } from "./transfer.ts";

/** Its undo is a separate, unapproved call. */
const unattended = (name: string): string =>
  JSON.stringify({
    format: "countersign/graph/v1",
    id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
    name,
    inputs: {
      type: "object",
      properties: { order_id: { type: "string", maxLength: 40 } },
      required: ["order_id"],
      additionalProperties: false,
    },
    memory: [
      { key: "order_id", schema: { type: "string", maxLength: 40 } },
      { key: "reservation", schema: {}, classification: "pii" },
    ],
    nodes: [
      {
        id: "ask",
        title: "Approve the reservation",
        kind: "approval",
        read_keys: ["order_id"],
        config: { prompt: "Reserve the stock?", review_keys: ["order_id"], for_node: "reserve", role: "reviewer", rejection_node: "stop" },
      },
      {
        id: "reserve",
        title: "Reserve the stock",
        kind: "tool",
        read_keys: ["order_id"],
        write_keys: ["reservation"],
        effect: "write",
        compensation: { server: "shop", tool: "release_stock", arguments: { reservation_id: { result: "reservation_id" } } },
        config: { server: "shop", tool: "reserve_stock", arguments: { order_id: { from: "order_id" } } },
      },
      { id: "stop", title: "Stop", kind: "router", config: {} },
    ],
    edges: [{ id: "approved", source: "ask", target: "reserve" }],
    start_node: "ask",
    end_nodes: ["reserve", "stop"],
    max_token_budget: 1_000,
  });

const requests = (page: Page): Locator => page.getByRole("region", { name: "Versions to approve" });

const badgeAtHome = async (page: Page): Promise<number> => {
  await page.goto("/");
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });
  await expect(link).toBeVisible();

  return Number(/\d+/.exec(await link.innerText())?.[0] ?? 0);
};

test("a request reaches people who can answer it, and the version names both people", async ({ page }) => {
  const name = `Plans ${Date.now()}`;
  await signInAs(page, "second builder");
  const before = await badgeAtHome(page);

  await signInAs(page, "builder");
  const place = await importText(page, name, unattended(name));
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish a version" });
  await dialog.getByRole("button", { name: "Ask a second person" }).click();
  await expect(dialog.getByText("Waiting for a second person with graph.publish")).toBeVisible();

  await test.step("it is not listed as pending for its author", async () => {
    expect(await badgeAtHome(page)).toBe(before);
    await expect(requests(page)).toHaveCount(0);
  });

  await test.step("another builder finds it in the badge, in Approvals and on Home", async () => {
    await signInAs(page, "second builder");
    expect(await badgeAtHome(page)).toBe(before + 1);
    await page.goto("/approvals");
    await expect(requests(page).getByRole("link", { name: new RegExp(name) })).toBeVisible();
    await expectAccessible(page);
    await page.goto("/");
    await expectAccessible(page);
    await requests(page)
      .getByRole("link", { name: new RegExp(name) })
      .click();
    await page.getByRole("button", { name: "Approve and publish" }).click();
    await expect(page.getByText("Published as version 1")).toBeVisible();
  });

  await test.step("it is no longer pending, and the version names its publisher", async () => {
    expect(await badgeAtHome(page)).toBe(before);
    await expect(requests(page)).toHaveCount(0);
    await page.goto(place);
    await openPanel(page, "Versions");
    await expect(page.getByText("Ben Builder, approved by Bea Builder", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "View version 1" }).click();
    await expect(page.getByRole("heading", { level: 1, name: `${name}, version 1` })).toBeVisible();
    await expect(page.getByText("Ben Builder, approved by Bea Builder", { exact: true }).first()).toBeVisible();
  });
});
