import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

let discovery: Record<string, unknown> = {};
let issuer = "";

const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ issuer, ...discovery }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("NEXTAUTH_URL", "https://countersign.example");
  vi.stubEnv("OIDC_ISSUER", issuer);
  vi.stubEnv("OIDC_CLIENT_ID", "countersign");
  vi.stubEnv("OIDC_CLIENT_SECRET", "a secret that both sides know");
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const urlFor = async (hint: string | null, found: Record<string, unknown>) => {
  discovery = found;
  const { getLogoutUrl } = await import("./logout-url");
  const url = await getLogoutUrl(hint);

  return url === null ? null : new URL(url);
};

test("names the client, the session and our own sign-in page, and keeps the provider's parameters", async () => {
  const url = await urlFor("the.id.token", { end_session_endpoint: "https://id.example.com/end?tenant=1" });
  expect(url?.origin).toBe("https://id.example.com");
  expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
    tenant: "1",
    client_id: "countersign",
    post_logout_redirect_uri: "https://countersign.example/sign-in",
    id_token_hint: "the.id.token",
  });
  expect((await urlFor("", { end_session_endpoint: "https://id.example.com/end" }))?.searchParams.has("id_token_hint")).toBe(false);
});

test.each([
  ["a session that began elsewhere", null, { end_session_endpoint: "https://id.example.com/end" }],
  ["a provider without such a page", "a.b.c", {}],
  ["another issuer's document", "a.b.c", { issuer: "https://other.example", end_session_endpoint: "https://other.example/end" }],
  ["a page without TLS elsewhere", "a.b.c", { end_session_endpoint: "http://id.example.com/end" }],
  ["a script", "a.b.c", { end_session_endpoint: "javascript:alert(1)" }],
])("has no address for %s", async (_what, hint, found) => {
  expect(await urlFor(hint, found)).toBeNull();
});
