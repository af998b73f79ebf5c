import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const pricesFrom = async (text: string) => {
  vi.stubEnv("COUNTERSIGN_MODEL_PRICES", text);
  const { readEnv: env } = await import("@/server/env");

  return env().COUNTERSIGN_MODEL_PRICES;
};

test("model prices are read from JSON, and an empty variable means none", async () => {
  const price = { input_usd_per_million: 1, output_usd_per_million: 2 };

  expect(await pricesFrom(JSON.stringify({ "openai:m": price }))).toEqual({ "openai:m": price });
  vi.resetModules();
  expect(await pricesFrom("")).toBeUndefined();
});

test.each(["{", "[]", '{"openai:m":3}', '{"m":{"input_usd_per_million":1,"output_usd_per_million":2}}'])(
  "malformed prices stop the process, naming the variable: %s",
  async (text) => {
    await expect(pricesFrom(text)).rejects.toThrow("COUNTERSIGN_MODEL_PRICES");
  },
);

const OIDC = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "countersign", OIDC_CLIENT_SECRET: "s" };

const oidcFrom = async (variables: Readonly<Record<string, string>>) => {
  vi.stubEnv("NEXTAUTH_SECRET", "s".repeat(32));
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { readEnv: env } = await import("@/server/env");

  return env();
};

test("reads an identity provider from its variables, with lower-case domains", async () => {
  expect(await oidcFrom({ ...OIDC, OIDC_ALLOWED_DOMAINS: "Example.com, example.ORG" })).toMatchObject({
    ...OIDC,
    OIDC_ALLOWED_DOMAINS: ["example.com", "example.org"],
  });
});

test("the runner verifies the provider's tokens without the client secret", async () => {
  expect(await oidcFrom({ ...OIDC, OIDC_CLIENT_SECRET: "", NEXTAUTH_SECRET: "" })).toMatchObject({ OIDC_CLIENT_ID: "countersign" });
});

test.each([
  ["half of it", { OIDC_ISSUER: OIDC.OIDC_ISSUER }, "set together"],
  ["no secret", { ...OIDC, OIDC_CLIENT_SECRET: "" }, "set together"],
  ["plain http elsewhere", { ...OIDC, OIDC_ISSUER: "http://id.example.com" }, "https"],
  ["plain http to a name that only begins like this machine", { ...OIDC, OIDC_ISSUER: "http://localhost.example.com" }, "https"],
  ["another kind of address", { ...OIDC, OIDC_ISSUER: "file:///etc/passwd" }, "https"],
  ["a pattern for a domain", { ...OIDC, OIDC_ALLOWED_DOMAINS: "*.example.com" }, "OIDC_ALLOWED_DOMAINS"],
  ["the end of every domain", { ...OIDC, OIDC_ALLOWED_DOMAINS: "com" }, "OIDC_ALLOWED_DOMAINS"],
])("an identity provider with %s stops the process", async (_name, variables, message) => {
  await expect(oidcFrom(variables)).rejects.toThrow(message);
});

test("a local identity provider may be used without TLS", async () => {
  expect((await oidcFrom({ ...OIDC, OIDC_ISSUER: "http://localhost:4444" })).OIDC_ISSUER).toBe("http://localhost:4444");
});

const mcpPolicyWith = async (origins: string) => {
  vi.stubEnv("COUNTERSIGN_MCP_ORIGINS", origins);
  const { getMcpPolicy: mcpPolicy } = await import("@/server/security/mcp-policy");

  return mcpPolicy();
};

test("MCP servers need https unless the operator allows an origin", async () => {
  expect(await mcpPolicyWith("")).toEqual({ allowOrigins: [], requireHttps: true });
  vi.resetModules();
  expect(await mcpPolicyWith("http://10.0.0.5:8080 https://mcp.internal")).toEqual({
    allowOrigins: ["http://10.0.0.5:8080", "https://mcp.internal"],
    requireHttps: true,
  });
});

test.each(["10.0.0.5", "http://10.0.0.5/path", "*"])("'%s' is not an origin and stops the process", async (text) => {
  await expect(mcpPolicyWith(text)).rejects.toThrow("COUNTERSIGN_MCP_ORIGINS");
});

test.each(["10.0.0.0/33", "proxy.example.com", "10.0.0.1 *"])("'%s' is not a proxy and stops the process", async (text) => {
  vi.stubEnv("COUNTERSIGN_TRUSTED_PROXIES", text);
  const { readEnv: env } = await import("@/server/env");

  expect(() => env()).toThrow("COUNTERSIGN_TRUSTED_PROXIES");
});

test("proxies are addresses and networks, separated by spaces or commas", async () => {
  vi.stubEnv("COUNTERSIGN_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8 2001:db8::/32");
  const { readEnv: env } = await import("@/server/env");

  expect(env().COUNTERSIGN_TRUSTED_PROXIES.map(({ network, prefix }) => `${network.toString()}/${prefix}`)).toEqual([
    "127.0.0.1/32",
    "10.0.0.0/8",
    "2001:db8::/32",
  ]);
});
