import { expect, type Dialog, type Locator, type Page } from "@playwright/test";
import { addNode, createEmptyGraph, createInDialog, fit, node, save, savedRevision, selectNode } from "./editor.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const bar = (page: Page, title: string | RegExp): Locator => page.getByRole("region", { name: title });

/** Accepts any leave prompt. */
const openAgain = async (page: Page): Promise<void> => {
  const accept = (dialog: Dialog) => void dialog.accept();
  page.on("dialog", accept);
  await page.goto(new URL(page.url()).pathname);
  // It may not have prompted.
  page.off("dialog", accept);
};

const setTitle = async (page: Page, of: RegExp, id: string, title: string): Promise<void> => {
  await selectNode(page, of, id);
  await page.getByLabel("Title").fill(title);
};

const pressSave = (page: Page): Promise<void> => page.keyboard.press("ControlOrMeta+s");

test("merges disjoint changes by two people, asks about conflicts and overwrites nothing", async ({ page, browser }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Two people");
  await addNode(page, "Transform", "shared");
  await save(page);
  const context = await browser.newContext();
  const other = await context.newPage();
  await signInAs(other, "second builder");
  await other.goto(new URL(page.url()).pathname);
  await expect(node(other, /^Transform shared/)).toBeVisible();

  await test.step("an automatic merge is announced, and undo keeps the other person's changes", async () => {
    await addNode(page, "Router", "first");
    const newest = await save(page);
    await addNode(other, "Approval", "second");
    await pressSave(other);
    const merged = bar(other, /^Merged with .+'s changes$/);
    await expect(merged).toContainText("1 node added");
    expect(await savedRevision(other)).toBeGreaterThan(newest);
    await fit(other);
    await expect(node(other, /^Router first/)).toBeVisible();
    await other.getByRole("button", { name: "Undo", exact: true }).click();
    await other.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(node(other, /^Approval/)).toHaveCount(0);
    await expect(node(other, /^Router first/)).toBeVisible();
    expect(await save(other)).toBeGreaterThan(newest + 1);
    await merged.getByRole("button", { name: "Dismiss" }).click();
    await expect(merged).toHaveCount(0);
  });

  await test.step("the same field: both values are shown, and the server keeps the first until one is chosen", async () => {
    await openAgain(page);
    await setTitle(page, /^Transform shared/, "shared", "Mine");
    const newest = await save(page);
    await setTitle(other, /^Transform shared/, "shared", "Theirs");
    await pressSave(other);
    const conflict = bar(other, "Conflict");
    await expect(conflict).toContainText(`saved revision ${newest} while you were editing`);
    await openAgain(page);
    await expect(node(page, /^Transform Mine/)).toBeVisible();
    expect(await savedRevision(page)).toBe(newest);

    await conflict.getByRole("button", { name: "Review and merge" }).click();
    const dialog = other.getByRole("dialog", { name: /^Merge with/ });
    const title = dialog.getByRole("group", { name: "Transform Theirs title" });
    await expect(title.getByRole("radio", { name: /^Mine/ })).toBeChecked();
    await expect(title).toContainText("Theirs");
    await title.getByRole("radio", { name: /^Theirs \(/ }).check();
    await dialog.getByRole("button", { name: "Save merged graph" }).click();
    await expect(node(other, /^Transform Mine/)).toBeVisible();
    await expect(conflict).toHaveCount(0);
    await savedRevision(other);
  });
  await context.close();
});

test("two open graphs stay separate; undo and redo survive saving; an empty graph replaces nothing unasked", async ({ page }) => {
  await signInAs(page, "builder");
  /** The list of graphs lies in between. */
  const walk = async (to: string, step: () => Promise<unknown>): Promise<void> => {
    for (let steps = 0; steps < 4 && !page.url().includes(to); steps += 1) {
      const from = page.url();
      await step();
      // The address follows later; two entries can share one.
      await page.waitForURL(({ href }) => href !== from, { timeout: 3_000 }).catch(() => undefined);
    }
    await expect(page).toHaveURL(new RegExp(to));
  };

  await test.step("Back and Forward with unsaved changes on both sides", async () => {
    await page.goto("/graphs");
    await createInDialog(page, "Left graph");
    const left = new URL(page.url()).pathname;
    await addNode(page, "Transform", "alpha");
    // Client navigation, without reloads.
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Graphs" }).click();
    await page.waitForURL("**/graphs");
    await createInDialog(page, "Right graph");
    const right = new URL(page.url()).pathname;
    await addNode(page, "Router", "beta");
    await walk(left, () => page.goBack());
    await expect(node(page, /^Transform alpha/)).toBeVisible();
    await addNode(page, "Transform", "gamma");
    await walk(right, () => page.goForward());
    await expect(node(page, /^Router beta/)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Right graph" })).toBeVisible();
    await openAgain(page);
    await expect(node(page, /^Router beta/)).toBeVisible();
    await expect(node(page, /^Transform/)).toHaveCount(0);
    await page.goto(left);
    await fit(page);
    await expect(node(page, /^Transform alpha/)).toBeVisible();
    await expect(node(page, /^Transform gamma/)).toBeVisible();
    await expect(node(page, /^Router/)).toHaveCount(0);
  });

  await test.step("undo after an autosave, then save that", async () => {
    await addNode(page, "Approval", "late");
    const revision = await savedRevision(page);
    for (let steps = 0; steps < 2; steps += 1) await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(node(page, /^Approval/)).toHaveCount(0);
    await expect.poll(() => savedRevision(page)).toBeGreaterThan(revision);
    await page.getByRole("button", { name: "Redo", exact: true }).click();
    await page.getByRole("button", { name: "Redo", exact: true }).click();
    await expect(node(page, /^Approval late/)).toBeVisible();
    await expect.poll(() => savedRevision(page)).toBeGreaterThan(revision + 1);
    await openAgain(page);
    await fit(page);
    await expect(node(page, /^Approval late/)).toBeVisible();
  });

  await test.step("an emptied graph waits for confirmation, and undo is one click away", async () => {
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await expect(page.locator(".react-flow__node")).toHaveCount(0);
    const empty = bar(page, "The graph is empty");
    await expect(empty).toContainText("would remove 3 nodes");
    await pressSave(page);
    await expect(page.getByText("Not saved: graph is empty")).toBeVisible();
    await empty.getByRole("button", { name: "Undo" }).click();
    await expect(node(page, /^Transform alpha/)).toBeVisible();
    await savedRevision(page);
    await page.getByRole("button", { name: "Redo", exact: true }).click();
    await pressSave(page);
    await empty.getByRole("button", { name: "Save empty graph" }).click();
    await savedRevision(page);
    await openAgain(page);
    await savedRevision(page);
    await expect(page.locator(".react-flow__node")).toHaveCount(0);
  });
});

test("offline, left or crashed pages keep the drawn graph", async ({ page, context }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Kept here");
  await addNode(page, "Transform", "saved");
  await save(page);
  const offered = (on: Page) => bar(on, "Unsaved changes found");

  await test.step("says it is offline, and saves by itself when online", async () => {
    await context.setOffline(true);
    await addNode(page, "Router", "offline");
    await expect(bar(page, "Not saved")).toContainText("kept in this browser");
    await context.setOffline(false);
    await savedRevision(page);
    await expect(bar(page, "Not saved")).toHaveCount(0);
  });

  await test.step("unsaved work is offered with its diff and restored on request", async () => {
    await page.route(/graphs\.save/, (route) => route.abort());
    await addNode(page, "Approval", "left");
    await expect(bar(page, "Not saved")).toBeVisible();
    await openAgain(page);
    await expect(offered(page)).toContainText("1 node added");
    await expect(node(page, /^Approval/)).toHaveCount(0);
    await page.unroute(/graphs\.save/);
    await offered(page).getByRole("button", { name: "Show changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Unsaved changes" });
    await expect(dialog).toContainText("left");
    await dialog.getByRole("button", { name: "Restore" }).click();
    await fit(page);
    await expect(node(page, /^Approval left/)).toBeVisible();
    await savedRevision(page);
    await expect(offered(page)).toHaveCount(0);
  });

  const path = new URL(page.url()).pathname;
  await test.step("after a crash, offered to the same person only, and gone when discarded", async () => {
    await page.route(/graphs\.save/, (route) => route.abort());
    await addNode(page, "Transform", "killed");
    await expect(bar(page, "Not saved")).toBeVisible();
    const crashed = page.waitForEvent("crash");
    const session = await context.newCDPSession(page);
    void session.send("Page.crash").catch(() => null);
    await crashed;
    await page.close();

    const next = await context.newPage();
    await signInAs(next, "second builder");
    await next.goto(path);
    await savedRevision(next);
    await expect(offered(next)).toHaveCount(0);
    await signInAs(next, "builder");
    await next.goto(path);
    await expect(offered(next)).toContainText("1 node added");
    await expect(node(next, /killed/)).toHaveCount(0);
    await offered(next).getByRole("button", { name: "Discard" }).click();
    await expect(offered(next)).toHaveCount(0);
    await openAgain(next);
    await savedRevision(next);
    await expect(offered(next)).toHaveCount(0);
  });
});
