import { expect, request } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { e2eOrigin } from "./home.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

test("a reviewer's token opens the API and no page; a session opens pages and no API", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/settings#tokens");
  await page.getByRole("button", { name: "New personal token…" }).click();
  await expectAccessible(page);
  await page.getByLabel("Name", { exact: true }).fill("Pager");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = (await page.getByText(/^cs_[A-Za-z0-9_-]{43}$/).textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Pager/ })).toContainText("Never");

  const approvals = `${e2eOrigin()}/api/v1/approvals`;
  // The page's requests carry its cookies.
  expect((await page.request.get(approvals)).status()).toBe(401);
  const program = await request.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } });
  expect((await program.get(approvals)).status()).toBe(200);
  const session = await program.get(`${e2eOrigin()}/api/trpc/session.current`);
  expect(await session.json()).toEqual({ result: { data: null } });
  expect((await program.get(`${e2eOrigin()}/api/trpc/session.sessions`)).status()).toBe(401);

  await page.getByRole("button", { name: "Revoke Pager" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("Token revoked.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Pager/ })).toHaveCount(0);
  expect((await program.get(approvals)).status()).toBe(401);
  await program.dispose();
});
