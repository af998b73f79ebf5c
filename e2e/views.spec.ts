import { expect } from "@playwright/test";
import { isTerminal, type RunStatus } from "@/lib/engine/event";
import { expectAccessible } from "./axe.ts";
import { signInAs } from "./people.ts";
import { SIZES } from "./sizes.ts";
import { test } from "./test.ts";
import { listViews } from "./views.ts";
import { mutate, query } from "./wire.ts";

// Axe takes seconds per page.
test.describe.configure({ timeout: 480_000 });

test("dialogs, panels and marks pass axe at three widths in both themes, and none scrolls sideways", async ({ page }) => {
  for (const { by, views } of await listViews(page, "states")) {
    if (by !== null) await signInAs(page, by);
    for (const { name, open, close } of views) {
      await open(page);
      for (const size of Object.values(SIZES)) {
        await page.setViewportSize(size);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, `${name} scrolls sideways at ${size.width}`).toBeLessThanOrEqual(0);
        await expectAccessible(page, `${name} at ${size.width}`);
      }
      await page.setViewportSize(SIZES.desktop);
      await close?.(page);
    }
  }
});

test("Home counts and lists what the inbox does: nothing that its reader snoozed", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/");
  const waiting = page.getByRole("region", { name: "Waiting for you" });
  const rows = waiting.getByRole("listitem");
  const { runs } = await query<{ runs: readonly { status: RunStatus }[] }>(page, "runs.list", {});
  const active = runs.filter(({ status }) => !isTerminal(status));
  expect(active.length).toBeLessThan(runs.length);
  await expect(page.getByRole("region", { name: `Running now: ${active.length}` }).getByRole("listitem")).toHaveCount(active.length);
  const inbox = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ });
  const { rows: open } = await query<{ rows: readonly { id: string }[] }>(page, "approvals.queue", { filter: { mine: true } });
  expect(open.length).toBeGreaterThan(1);
  await expect(rows).toHaveCount(open.length);
  await expect(waiting.getByText(`${open.length} open`)).toBeVisible();
  const approvalIds = open.slice(0, 1).map(({ id }) => id);
  await mutate(page, "approvals.snooze", { approvalIds, untilMs: Date.now() + 3_600_000 });
  try {
    await page.reload();
    await expect(rows).toHaveCount(open.length - 1);
    await expect(waiting.getByText(`${open.length - 1} open`)).toBeVisible();
    await expect(inbox).toContainText(String(open.length - 1));
  } finally {
    await mutate(page, "approvals.bringBack", { approvalIds });
  }
});
