import { expect, type APIResponse, type Page } from "@playwright/test";
import { ACCESS, type AccessRow } from "../server/trpc/access-table.ts";
import { openApproval, startRun } from "./desk.ts";
import { signInAs, type DemoRole } from "./people.ts";
import { test } from "./test.ts";

const LETTERS = { viewer: "V", builder: "B", reviewer: "R", admin: "A" } as const satisfies Record<DemoRole, string>;
const rows = Object.entries<AccessRow>(ACCESS).filter(([, [access]]) => access !== "public");

/** A subscription's error is its only event. */
const statusOf = async (response: APIResponse): Promise<number> => {
  const isStream = response.headers()["content-type"]?.startsWith("text/event-stream") ?? false;

  return isStream ? Number(/"httpStatus":(\d+)/.exec(await response.text())?.[1] ?? response.status()) : response.status();
};

const call = async (page: Page, procedure: string, origin: string): Promise<number> => {
  const headers = { "content-type": "application/json", origin };
  const posted = await statusOf(await page.request.post(`/api/trpc/${procedure}`, { headers, data: {} }));
  // A query does not answer a POST.
  if (posted !== 400 && posted !== 405) return posted;

  return statusOf(await page.request.get(`/api/trpc/${procedure}?input=%7B%7D`));
};

test("rejects requests without a session", async ({ page, baseURL }) => {
  await page.goto("/sign-in");
  for (const [procedure] of rows) expect(await call(page, procedure, baseURL ?? ""), procedure).toBe(401);
  await page.goto("/runs");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("shows only liveness without a session; an installation without a token has no metrics", async ({ page }) => {
  const alive = await page.request.get("/api/live");
  expect([alive.status(), await alive.json()]).toEqual([200, { web: "ok" }]);
  for (const authorization of ["", "Bearer ", "Bearer undefined"]) {
    expect((await page.request.get("/api/metrics", { headers: { authorization } })).status()).toBe(404);
  }
});

for (const role of ["viewer", "builder", "reviewer", "admin"] as const) {
  test(`denies a ${role} every procedure outside the role`, async ({ page, baseURL }) => {
    await signInAs(page, role);
    const denied = rows.filter(([, [, roles]]) => !roles.includes(LETTERS[role]));
    expect(denied.length).toBeGreaterThan(0);
    for (const [procedure] of denied) expect(await call(page, procedure, baseURL ?? ""), procedure).toBe(403);
  });
}

test("rejects cross-origin mutations from every role", async ({ page }) => {
  await signInAs(page, "builder");
  expect(await call(page, "graphs.create", "https://evil.example")).toBe(403);
});

test("disables what a viewer may not do and says why", async ({ page }) => {
  await signInAs(page, "viewer");
  await page.goto("/graphs");
  await page.getByRole("link", { name: /Support desk under attack/ }).click();
  for (const name of ["Publish", "Run"]) {
    const button = page.getByRole("button", { name, exact: true });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await button.focus();
    await expect(page.getByText("Needs builder; you are viewer").first()).toBeVisible();
  }
});

test("tells an admin who may approve", async ({ page }) => {
  await signInAs(page, "builder");
  const run = await startRun(page, /^Scripted: honest/);
  await signInAs(page, "admin");
  await openApproval(page, run);
  for (const name of [/^Approve/, /^Reject/]) {
    await expect(page.getByRole("button", { name })).toHaveAttribute("aria-disabled", "true");
  }
  await expect(page.getByText("Needs reviewer; you are admin").first()).toBeVisible();
});

test("shows other workspaces' runs and approvals as nonexistent", async ({ page }) => {
  await signInAs(page, "reviewer");
  const unknown = "00000000-0000-4000-8000-00000000dead";
  for (const path of [`/runs/${unknown}`, `/approvals/${unknown}`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: /not found$/ })).toBeVisible();
  }
});
