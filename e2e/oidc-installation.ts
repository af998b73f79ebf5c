import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, type Browser, type Page } from "@playwright/test";
import { freePort } from "../bin/postgres/cluster.ts";
import { runStart, type Running } from "../bin/testing.ts";
import { enterAt } from "./identity-helpers.ts";
import { startIdentityProvider, type Claims, type IdentityProvider } from "./identity-provider.ts";

export const PROVIDER = "Harbor ID";
export const ADMIN_EMAIL = "ada@harborpoint.example";
export const ADMIN_PASSWORD = "tides keep no secrets";

export type OidcInstallation = {
  readonly home: string;
  readonly origin: string;
  readonly provider: IdentityProvider;
  readonly product: Running;
  readonly close: () => Promise<void>;
};

/** Has its first admin. */
export const startOidcInstallation = async (): Promise<OidcInstallation> => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-oidc-"));
  // As root, the database runs as another user.
  fs.chmodSync(home, 0o711);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const provider = await startIdentityProvider(`${origin}/api/auth/callback/oidc`);
  const product = runStart({
    COUNTERSIGN_HOME: home,
    PORT: String(port),
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: PROVIDER,
  });
  const link = await product.seen(/http:\/\/localhost:\d+\/setup\?token=[\w-]{43}/u);
  const token = new URL(link).searchParams.get("token");
  const made = await fetch(`${origin}/api/trpc/setup.createAdmin`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({
      name: "Ada Marsh",
      email: ADMIN_EMAIL,
      password: ADMIN_PASSWORD,
      workspaceName: "Harbor",
      token,
    }),
  });
  expect(made.status).toBe(200);

  return {
    home,
    origin,
    provider,
    product,
    close: async () => {
      product.child.kill("SIGTERM");
      await product.finished;
      await provider.close();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
};

/** @returns the login */
export const addPerson = (provider: IdentityProvider, claims: Partial<Claims> = {}): { readonly login: string; readonly email: string } => {
  const login = `user-${randomUUID()}`;
  const email = claims.email ?? `${login}@harborpoint.example`;
  provider.people.set(login, { email, email_verified: true, name: "Ines Vale", ...claims });

  return { login, email };
};

/** Opens a browser unknown to the provider. */
export const openPage = async (browser: Browser, origin: string): Promise<Page> =>
  (await browser.newContext({ baseURL: origin })).newPage();

export const comeBy = async (page: Page, login: string): Promise<void> => {
  await page.getByRole("button", { name: `Continue with ${PROVIDER}` }).click();
  await enterAt(page, login);
  await page.getByRole("button", { name: "Continue" }).click();
};

export const sessionCookies = async (origin: string, page: Page) =>
  (await page.context().cookies(origin)).filter(({ name }) => /countersign\.(?:\d+\.)?session$/u.test(name));
