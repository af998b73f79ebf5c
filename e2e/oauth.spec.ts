import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "@playwright/test";
import { e2eOrigin } from "./home.ts";
import { askToConnect, findEndpoint, registerClient, VERIFIER } from "./oauth.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

let server: Server;
let redirectUri: string;
test.beforeAll(async () => {
  server = createServer((_request, response) => response.end("Connected. Close this page.")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  redirectUri = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/callback`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("a client is connected after the person signed in and allowed it, and is listed and revoked under Tokens", async ({ page }) => {
  await signInAs(page, "builder");
  const { name, endpoint } = await findEndpoint(page);
  const clientId = await registerClient(page, redirectUri);
  const asked = await askToConnect(page, redirectUri, clientId);
  await page.context().clearCookies();
  await page.goto(asked);
  await page
    .getByRole("button", { name: /Bo|builder/i })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: `Let Claude Code drive ${name}?` })).toBeVisible();
  await expect(page.getByText(new URL(redirectUri).host)).toBeVisible();
  await page.getByRole("checkbox", { name: /Request approval/ }).click();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL(`${redirectUri}?**`);
  const to = new URL(page.url());
  expect([to.searchParams.get("state"), to.searchParams.get("iss")]).toEqual(["s", e2eOrigin()]);
  const response = await page.request.post(`${e2eOrigin()}/api/oauth/token`, {
    form: {
      grant_type: "authorization_code",
      client_id: clientId,
      code: to.searchParams.get("code") ?? "",
      code_verifier: VERIFIER,
      redirect_uri: redirectUri,
      resource: endpoint,
    },
  });
  expect(await response.json()).toMatchObject({ token_type: "Bearer", scope: "run.read run.drive" });
  await page.goto(`${e2eOrigin()}/connect?show=tokens`);
  const row = page.getByRole("row").filter({ hasText: "Claude Code" });
  await expect(row).toContainText(`connected client, ${new URL(redirectUri).host}`);
  await row.getByRole("button", { name: "Revoke Claude Code" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(row).toContainText("Revoked");
});

test("a denied client learns it, and a viewer can't allow one", async ({ page }) => {
  await signInAs(page, "builder");
  const asked = await askToConnect(page, redirectUri);
  await page.goto(asked);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(`${redirectUri}?**`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  await signInAs(page, "viewer");
  await page.goto(asked);
  await expect(page.getByRole("heading", { name: "You don't have access to connecting clients." })).toBeVisible();
  await expect(page.getByRole("button", { name: "Allow" })).toHaveCount(0);
});

test("the consent page refuses to be framed, and unknown addresses for programs answer JSON", async ({ page }) => {
  await signInAs(page, "builder");
  const answer = await page.goto("/authorize");
  expect(answer?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  for (const path of ["/.well-known/openid-configuration", "/.well-known/nothing", "/api/nope", "/api/oauth/nope"]) {
    const unknown = await page.request.get(`${e2eOrigin()}${path}`, { maxRedirects: 0 });
    expect([path, unknown.status(), await unknown.json()]).toEqual([path, 404, { error: "not_found" }]);
  }
  const metadata = await page.request.get(`${e2eOrigin()}/.well-known/oauth-authorization-server`);
  expect(await metadata.json()).toMatchObject({ issuer: e2eOrigin(), code_challenge_methods_supported: ["S256"] });
});
