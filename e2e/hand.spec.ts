/** Keys for another page decide nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import type { GraphInput } from "../lib/graph/document.ts";
import { armByKey, commitByKey, commitNow } from "./desk.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { publish, startVersion } from "./versions.ts";
import { query } from "./wire.ts";

const LOOKED_MS = 2_000;

const documentOf = (id: string, name: string): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name,
  nodes: [{ id: "ask", kind: "approval", title: "Ask", config: { prompt: `May ${name} go on?` } }],
  edges: [],
  start_node: "ask",
  end_nodes: ["ask"],
});

const asked = async (page: Page): Promise<string> => {
  const name = `Hand ${crypto.randomUUID().slice(0, 8)}`;
  await signInAs(page, "second builder");
  const { hash } = await publish(page, documentOf(name.toLowerCase().replaceAll(" ", "-"), name), name);
  await startVersion(page, hash);
  await signInAs(page, "reviewer");
  await page.goto(`/approvals?text=${encodeURIComponent(name)}`);
  const link = page.getByRole("link", { name: `May ${name} go on?` });
  await expect(link).toHaveCount(1);

  return new URL((await link.getAttribute("href")) ?? "", page.url()).pathname;
};

const statusOf = async (page: Page, path: string): Promise<string> => {
  const { approval } = await query<{ approval: { status: string } }>(page, "approvals.get", { approvalId: path.split("/").at(-1) });

  return approval.status;
};

const armed = (page: Page) => page.getByText("Approve?", { exact: true });
const opened = (page: Page) => expect(page.getByRole("button", { name: /^Approve/ })).toBeEnabled();

/** Advances the page's clock. */
const stayFor = (page: Page, ms: number): Promise<void> =>
  page.waitForFunction(([since, wanted]) => performance.now() - (since ?? 0) >= (wanted ?? 0), [0, ms] as const).then(() => undefined);

const changeWhatIsAsked = (page: Page): Promise<unknown> =>
  page.route("**/api/trpc/**approvals.get**", async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll("go on?", "go on, and something else?") });
  });

test("keys arm nothing before two seconds and a user gesture, and commit nothing when held down", async ({ page }) => {
  const path = await asked(page);
  await page.goto(path);
  await opened(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("a");
  await expect(page.getByText("in front for two seconds")).toBeVisible();
  await expect(armed(page)).toHaveCount(0);

  await page.reload();
  await opened(page);
  await stayFor(page, 3 * LOOKED_MS);
  await page.keyboard.press("a");
  await expect(page.getByText("Press Tab, scroll or move the pointer first")).toBeVisible();
  await expect(armed(page)).toHaveCount(0);

  await page.keyboard.press("Tab");
  // Neither the first Enter nor the repeats commit.
  await page.keyboard.down("a");
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  await expect(armed(page)).toBeVisible();
  await page.keyboard.up("a");
  await page.keyboard.up("Enter");
  await expect(page.getByText("Nothing has been sent yet.")).toHaveCount(0);

  await commitByKey(page);
  await expect(page.getByRole("region", { name: "Time to undo" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Send now" })).not.toBeFocused();
  await page.keyboard.press("u");
  await expect(page.getByText("Undone. Nothing was sent.").last()).toBeVisible();
  expect(await statusOf(page, path)).toBe("open");
});

test("on a page opened by another origin while a person types, keys arm nothing until a pointer press", async ({ page, baseURL }) => {
  const path = await asked(page);
  const evil = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end(`<button onclick="window.open('${baseURL}${path}')">Win</button>`),
  );
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  try {
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const [victim] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Win" }).click()]);
    await opened(victim);
    for (const key of ["a", "Enter", "Tab", "a", "Enter"]) await victim.keyboard.press(key);
    await stayFor(victim, 3 * LOOKED_MS);
    // Enter would follow the link.
    for (const key of ["Tab", "a"]) await victim.keyboard.press(key);
    await expect(victim.getByText("Another site opened this page.")).toBeVisible();
    await expect(armed(victim)).toHaveCount(0);
    await expect(victim.getByText("Nothing has been sent yet.")).toHaveCount(0);

    await victim.getByRole("button", { name: /^Approve/ }).click();
    await expect(armed(victim)).toBeVisible();
    await victim.close();
    await page.goto("/");
    expect(await statusOf(page, path)).toBe("open");
  } finally {
    evil.close();
  }
});

test("a change of the shown content disarms the choice and requires another look", async ({ page }) => {
  const path = await asked(page);
  await page.goto(path);
  await opened(page);
  await armByKey(page, "a");
  await changeWhatIsAsked(page);
  await expect(page.getByText("This request changed while you were deciding. Review it again.")).toBeVisible();
  await expect(armed(page)).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing has been sent yet.")).toHaveCount(0);
  expect(await statusOf(page, path)).toBe("open");
});

test("a decision whose content changes before it is sent is not sent", async ({ page }) => {
  const path = await asked(page);
  await page.goto(path);
  await opened(page);
  await armByKey(page, "a");
  await commitByKey(page);
  await changeWhatIsAsked(page);
  await commitNow(page, "The request changed after you chose. Nothing was sent.");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  expect(await statusOf(page, path)).toBe("open");
});

test("a decision that cannot be sent in its five seconds is shown again and not sent on reconnect", async ({ page, context }) => {
  const path = await asked(page);
  await page.goto(path);
  await opened(page);
  await armByKey(page, "a");
  await commitByKey(page);
  await context.setOffline(true);
  await expect(page.getByText(/couldn't be sent within five seconds/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeVisible();
  await context.setOffline(false);
  await page.reload();
  await opened(page);
  expect(await statusOf(page, path)).toBe("open");
});

test("headers restrict who may open and frame pages", async ({ page }) => {
  const headers = (await page.request.get("/sign-in")).headers();
  expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});
