import { expect, type Page } from "@playwright/test";
import { inspect } from "./axe.ts";
import { enterAt } from "./identity-helpers.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { test } from "./listening.ts";
import {
  addPerson,
  ADMIN_PASSWORD,
  comeBy,
  openPage,
  PROVIDER,
  sessionCookies,
  startOidcInstallation,
  type OidcInstallation,
} from "./oidc-installation.ts";

let installation: OidcInstallation;
let origin: string;
let provider: IdentityProvider;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  installation = await startOidcInstallation();
  ({ origin, provider } = installation);
});

test.afterAll(() => installation.close());

test("an address alone opens no password account; its owner signs in, links the provider and unlinks it", async ({ browser }) => {
  const { login } = addPerson(provider, { email: "ada@harborpoint.example" });
  const comes = async (page: Page): Promise<Page> => {
    await page.goto("/sign-in");
    await comeBy(page, login);
    return page;
  };
  const stranger = await comes(await openPage(browser, origin));
  await expect(stranger.getByText("The account with this address uses a password.")).toBeVisible();
  expect(await sessionCookies(origin, stranger)).toEqual([]);

  const page = await openPage(browser, origin);
  await page.goto("/sign-in?to=/settings");
  await page.getByLabel("E-mail").fill("ada@harborpoint.example");
  await page.getByLabel("Password").fill(ADMIN_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${origin}/settings`);
  await page.getByRole("button", { name: `Link ${PROVIDER}…` }).click();
  await enterAt(page, login);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Identity linked.")).toBeVisible();
  const identity = page.getByRole("region", { name: "Identity" });
  await expect(identity).toContainText(login);
  await expect(identity).toContainText(/workspace record \d+/u);
  await inspect(page, /Settings/);
  await expect((await comes(await openPage(browser, origin))).getByText("Harbor, as admin")).toBeVisible();

  await page.goto("/admin/people");
  await expect(page.getByRole("table", { name: "People" })).toContainText("password, identity provider");
  await page.getByRole("button", { name: "Manage Ada Marsh" }).click();
  await expect(page.getByRole("dialog").getByText(login)).toBeVisible();
  await page.goto("/settings");
  await identity.getByRole("button", { name: "Unlink…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unlink", exact: true }).click();
  await expect(identity.getByRole("button", { name: `Link ${PROVIDER}…` })).toBeVisible();
  await expect((await comes(await openPage(browser, origin))).getByText("The account with this address uses a password.")).toBeVisible();
});
