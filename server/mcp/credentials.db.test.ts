import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getMcpSecretName } from "@/lib/secrets/reference";
import type { McpAccess, McpAuth } from "@/lib/mcp/access";
import { systemClock } from "@/server/clock";
import { sealSecret } from "@/server/security/secrets";
import { createVault } from "@/server/security/vault";
import { addMcpServer, getMcpServer } from "@/server/store/mcp/servers";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { listening, repeatingServer, tokenServer, type Told } from "./testing/credentialed";
import { testInstallation } from "./testing/installation";
import { asAdmin, reviewAndActivate, serverRow, testWorkspace } from "./testing/registered";

const KEY = "k3y/with+odd=chars&0123456789";
const CLIENT_SECRET = "client:secret%20+0123456789";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const vault = createVault("7".repeat(64));
const keyed = await listening(repeatingServer(({ authorization }) => authorization?.startsWith("Bearer ") === true));
const issued: string[] = [];
let lifeSeconds = 3_600;
const authorization = await listening(tokenServer(issued, () => lifeSeconds));
const revoked = new Set<string>();
const guarded = await listening(
  repeatingServer(({ authorization: said }) => said !== undefined && issued.includes(said.slice(7)) && !revoked.has(said.slice(7))),
);
const locked = await listening(repeatingServer(() => false));

let now = systemClock.now();
let mcp: McpService;
let workspace: string;

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  const egress = { allowOrigins: [keyed, authorization, guarded, locked].map(({ origin }) => origin) };
  mcp = createLocalMcp({ clock: { ...systemClock, now: () => now }, installation, egress, vault });
});
afterAll(() => mcp.close());

const keep = (name: string, value: string, environment: string | null = null): Promise<void> =>
  asAdmin(
    urls.admin,
    `insert into secret (workspace_id, name, sealed, created_by, environment) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, name, environment) do update set sealed = excluded.sealed, version = secret.version + 1`,
    [workspace, name, Buffer.from(sealSecret(vault, workspace, name, value, environment)), randomUUID(), environment ?? ""],
  );

const add = (id: string, origin: string, access: McpAccess): Promise<void> =>
  addMcpServer(workspace, { id, name: id, transport: { type: "http", url: `${origin}/mcp` }, access }, mcp.egress);

const bringUp = async (id: string, origin: string, access: McpAccess): Promise<void> => {
  await add(id, origin, access);
  await mcp.inspect(workspace, id);
  await reviewAndActivate(workspace, id, mcp, ["node"]);
};

const call = async (server: string, environment?: string) => {
  const row = await serverRow(workspace, server, mcp);
  const definitionDigest = row.tools[0]?.pinnedDigest ?? "";

  return mcp.call(
    {
      workspace,
      ...(environment === undefined ? {} : { environment }),
      server,
      tool: "repeat",
      arguments: {},
      caller: "node",
      definitionDigest,
      effectId: randomUUID(),
      idempotencyKey: randomUUID(),
      receipt: null,
    },
    AbortSignal.timeout(15_000),
  );
};

const lastHeaders = (told: readonly Told[]) => told.at(-1)?.headers;
const keyHeader = (name: string): McpAccess => ({ headers: { Authorization: { secret: name, prefix: "Bearer " } }, auth: null });

describe("a secret in a header", () => {
  it("reaches the server unchanged and comes back in no encoding", async () => {
    await keep("maps-key", KEY);
    await bringUp("keyed", keyed.origin, {
      headers: { Authorization: { secret: "maps-key", prefix: "Bearer " }, "X-Region": { value: "eu" } },
      auth: null,
    });
    const answer = await call("keyed");
    expect(lastHeaders(keyed.told)).toMatchObject({ authorization: `Bearer ${KEY}`, "x-region": "eu" });
    const text = JSON.stringify(answer);
    expect(answer.status).toBe("ok");
    expect(text).toContain("[redacted]");
    const hex = Buffer.from(KEY).toString("hex");
    for (const form of [KEY, encodeURIComponent(KEY), hex, KEY.split("").toReversed().join("")]) expect(text).not.toContain(form);
    // There the secret is not aligned to a group.
    const whole = Buffer.from(`Bearer ${KEY}`).toString("base64");
    expect([text.includes(whole), text.includes(whole.slice(12, -8))]).toEqual([false, false]);
  });

  it("is absent from stored identity and tools, so replacing it is not drift", async () => {
    const rows = JSON.stringify(
      await queryOn(urls.admin, "select s::text, t::text from mcp_server s join mcp_tool t on t.server_id = s.id"),
    );
    expect(rows).toContain("Repeats Bearer [redacted]");
    expect([KEY, Buffer.from(KEY).toString("hex"), encodeURIComponent(KEY)].filter((form) => rows.includes(form))).toEqual([]);
  });

  it("once replaced, is used by the next call", async () => {
    await keep("maps-key", "another-key-0123456789");
    expect((await call("keyed")).status).toBe("ok");
    expect(lastHeaders(keyed.told)).toMatchObject({ authorization: "Bearer another-key-0123456789" });
  });

  it("that is missing or was moved from another name has no substitute: the server is not asked", async () => {
    await add("bare", keyed.origin, keyHeader("not-there"));
    const before = keyed.told.length;
    await expect(mcp.inspect(workspace, "bare")).rejects.toMatchObject({ message: "The secret not-there is missing or does not open." });
    await asAdmin(
      urls.admin,
      `insert into secret (workspace_id, name, sealed, created_by)
       select workspace_id, 'not-there', sealed, created_by from secret where workspace_id = $1 and name = 'maps-key'`,
      [workspace],
    );
    await expect(mcp.inspect(workspace, "bare")).rejects.toMatchObject({ code: "server_unreachable" });
    expect(keyed.told.length).toBe(before);
    expect((await getMcpServer(workspace, "bare", mcp.egress))?.lastError).toBe("The secret not-there is missing or does not open.");
  });

  it("of another server or provider is not used, even when the row says so", async () => {
    const before = keyed.told.length;
    for (const [id, name] of [
      ["thief", getMcpSecretName("keyed", "Authorization")],
      ["thief2", "model:openai"],
    ] as const) {
      await keep(name, KEY);
      await add(id, keyed.origin, { headers: {}, auth: null });
      await asAdmin(urls.admin, "update mcp_server set headers = $1 where id = $2", [
        JSON.stringify({ "X-Api-Key": { secret: name } }),
        id,
      ]);
      await expect(mcp.inspect(workspace, id)).rejects.toMatchObject({ code: "server_unreachable" });
    }
    expect(keyed.told.length).toBe(before);
  });

  it("is redacted from a refusal that repeats it", async () => {
    await keep("maps-key", KEY);
    await add("locked", locked.origin, keyHeader("maps-key"));
    await expect(mcp.inspect(workspace, "locked")).rejects.toSatisfy(
      (error) => error instanceof Error && !`${error.message} ${String(error.cause)}`.includes(KEY),
    );
    expect(lastHeaders(locked.told)).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect((await getMcpServer(workspace, "locked", mcp.egress))?.lastError).not.toContain(KEY);
  });
});

describe("a secret with values per environment", () => {
  const [SHARED, STAGING, PRODUCTION] = ["shared-key-0123456789", "staging-key-0123456789", "production-key-0123456789"] as const;
  const keyOf = async (environment?: string) => {
    const before = keyed.told.length;
    const { status } = await call("placed", environment);
    const sent = keyed.told.slice(before).map(({ headers }) => headers.authorization);

    return { status, sent: [...new Set(sent)] };
  };
  const sent = (value: string) => ({ status: "ok", sent: [`Bearer ${value}`] });
  const NOTHING = { status: "unavailable", sent: [] };

  it("sends each environment its own, and the shared one elsewhere", async () => {
    await keep("placed-key", SHARED);
    await bringUp("placed", keyed.origin, keyHeader("placed-key"));
    await keep("placed-key", STAGING, "staging");
    await keep("placed-key", PRODUCTION, "production");
    for (const round of [1, 2]) {
      expect(await keyOf("staging"), `round ${round}`).toEqual(sent(STAGING));
      expect(await keyOf("production")).toEqual(sent(PRODUCTION));
      expect(await keyOf("dev")).toEqual(sent(SHARED));
      expect(await keyOf()).toEqual(sent(SHARED));
    }
  });

  it("sends nothing where only others have one", async () => {
    await asAdmin(urls.admin, "delete from secret where workspace_id = $1 and name = 'placed-key' and environment = ''", [workspace]);
    expect(await keyOf("dev")).toEqual(NOTHING);
    expect(await keyOf()).toEqual(NOTHING);
    expect(await keyOf("staging")).toEqual(sent(STAGING));
  });

  it.each(["staging", ""])("does not open production's value moved to %j, nor fall back", async (environment) => {
    await keep("placed-key", SHARED);
    await keep("placed-key", STAGING, "staging");
    await asAdmin(
      urls.admin,
      `update secret set version = version + 1, sealed =
         (select sealed from secret where workspace_id = $1 and name = 'placed-key' and environment = 'production')
       where workspace_id = $1 and name = 'placed-key' and environment = $2`,
      [workspace, environment],
    );
    expect(await keyOf(environment === "" ? "dev" : environment)).toEqual(NOTHING);
  });
});

const auth = (more: Partial<McpAuth> = {}): McpAuth => ({
  type: "client_credentials",
  find: "token_url",
  url: `${authorization.origin}/token`,
  client_id: "desk",
  client_secret: { secret: "desk-secret" },
  send: "basic",
  scope: "mcp",
  ...more,
});
const asked = () => authorization.told.filter(({ path }) => path === "/token");

describe("client credentials", () => {
  it("reuse one token until shortly before its expiry", async () => {
    await keep("desk-secret", CLIENT_SECRET);
    await bringUp("oauth", guarded.origin, { headers: {}, auth: auth() });
    const atStart = asked().length;
    expect((await call("oauth")).status).toBe("ok");
    expect(asked()).toHaveLength(atStart);
    const [first] = asked();
    const basic = Buffer.from(first?.headers.authorization?.slice(6) ?? "", "base64").toString();
    expect(basic).toBe("desk:client%3Asecret%2520%2B0123456789");
    expect(Object.fromEntries(new URLSearchParams(first?.body))).toEqual({
      grant_type: "client_credentials",
      resource: `${guarded.origin}/mcp`,
      scope: "mcp",
    });
    now += 3_550_000;
    expect((await call("oauth")).status).toBe("ok");
    expect(asked()).toHaveLength(atStart + 1);
  });

  it("are never exposed: neither the token nor the client secret", async () => {
    const text = JSON.stringify(await call("oauth"));
    expect(text).toContain("[redacted]");
    for (const token of issued) expect([token, Buffer.from(token).toString("hex")].filter((form) => text.includes(form))).toEqual([]);
    const headers = JSON.stringify(guarded.told.map((told) => told.headers));
    expect(headers).not.toContain("client:secret");
  });

  it("fetch another token, once, when the server rejects the current one", async () => {
    const before = issued.length;
    revoked.add(issued.at(-1) ?? "");
    expect((await call("oauth")).status).toBe("ok");
    expect(issued.length).toBe(before + 1);
    await add("never", locked.origin, { headers: {}, auth: auth() });
    const tokens = issued.length;
    await expect(mcp.inspect(workspace, "never")).rejects.toMatchObject({ code: "server_unreachable" });
    // One per transport, one for the rejection.
    expect(issued.length - tokens).toBeLessThanOrEqual(6);
  });

  it("find the token endpoint in the issuer's metadata, and send the secret in the form when told so", async () => {
    await bringUp("issuer", guarded.origin, { headers: {}, auth: auth({ find: "issuer", url: authorization.origin, send: "body" }) });
    const last = asked().at(-1);
    expect(last?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(last?.body))).toMatchObject({ client_id: "desk", client_secret: CLIENT_SECRET });
  });

  it("are not sent to an issuer whose metadata names another", async () => {
    const before = asked().length;
    await add("impostor", guarded.origin, { headers: {}, auth: auth({ find: "issuer", url: `${authorization.origin}/tenant` }) });
    await expect(mcp.inspect(workspace, "impostor")).rejects.toMatchObject({
      message: expect.stringContaining("not those of the issuer") as string,
    });
    expect(asked().length).toBe(before);
  });
});

describe("credentials written directly into the database", () => {
  const http = { type: "http", url: "https://mcp.example.com/mcp" };
  it.each([
    ["a token endpoint on this machine", http, {}, { ...auth(), url: "https://127.0.0.1/token" }],
    ["a token endpoint that hands out a cloud's credentials", http, {}, { ...auth(), url: "https://169.254.169.254/token" }],
    ["a token endpoint without encryption", http, {}, { ...auth(), url: "http://auth.example.com/token" }],
    [
      "a secret over an address without encryption",
      { type: "http", url: "http://mcp.example.com/" },
      { "X-Key": { secret: "maps-key" } },
      null,
    ],
    ["a header of the protocol", http, { Host: { value: "evil.example" } }, null],
    ["a header with a line break", http, { "X-A": { value: "a\r\nX-B: c" } }, null],
    ["a secret in the open", http, { Authorization: { value: "Bearer abcdefgh" } }, null],
    [
      "a token and an Authorization header",
      http,
      { Authorization: { secret: "maps-key" } },
      auth({ url: "https://auth.example.com/token" }),
    ],
    ["something else", http, [], null],
    ["an unknown kind of proof", http, {}, { type: "magic" }],
  ])("%s makes the server unusable", async (_what, transport, headers, stored) => {
    const id = `s${randomUUID()}`;
    await add(id, keyed.origin, { headers: {}, auth: null });
    await asAdmin(urls.admin, "update mcp_server set transport = $1, headers = $2, auth = $3 where id = $4", [
      JSON.stringify(transport),
      JSON.stringify(headers),
      stored && JSON.stringify(stored),
      id,
    ]);
    expect((await getMcpServer(workspace, id, mcp.egress))?.transport).toBeNull();
    await expect(mcp.inspect(workspace, id)).rejects.toMatchObject({ code: "manifest_invalid" });
  });
});
