import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { toCanonicalJson } from "@/lib/json";
import { GRANT_MS } from "@/lib/outside/oauth-grant";
import { useDatabase } from "@/server/db/client";
import { registerClient } from "@/server/oauth/client";
import { prepareGrant } from "@/server/oauth/consent";
import type { Authorization } from "@/server/oauth/request";
import { post } from "@/server/outside/testing/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { recordsOf } from "@/server/outside/testing/records";
import { mintToken, type Minting } from "@/server/outside/token";
import { publishAs, query } from "@/server/runner/testing/desk";
import { openTestSession } from "@/server/testing/authority";
import { handleTrpc } from "@/server/trpc/handler";
import { allow, callerOf, connectOver, consentOf, createProvider, createTransport, openAuthorization, REDIRECT } from "./testing/client";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const open = await openStand();
let stand: Stand;
let url: string;
let graph: string;
let otherUrl: string;
beforeAll(async () => {
  stand = await open();
  const { desk, demo } = stand;
  graph = await stand.graphId("refund-desk");
  url = stand.url(graph);
  const { published } = demo.of("refund-desk");
  await useDatabase(desk.urls.runner);
  const hash = await publishAs(desk, { ...published, graph: { ...published.graph, id: "other-desk", name: "Other" } }, desk.people.builder);
  await useDatabase(desk.urls.web);
  const [row] = await query<{ id: string }>(desk.urls.admin, "select graph_id as id from graph_version where hash = $1", [hash]);
  otherUrl = stand.url(row?.id ?? "");
});
afterAll(() => stand.close());

const VERIFIER = randomBytes(32).toString("base64url");
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

const clientId = (name = "Client", redirectUris: string[] = [REDIRECT]): string => registerClient({ name, redirectUris }) ?? "";

const requestOf = (change: Partial<Authorization> = {}): Authorization => ({
  clientId: clientId(),
  redirectUri: REDIRECT,
  responseType: "code",
  state: "s",
  codeChallenge: challengeOf(VERIFIER),
  codeChallengeMethod: "S256",
  resource: url,
  ...change,
});

const addressOf = (request: Partial<Record<keyof Authorization, string | undefined>>): string => {
  const given = Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== undefined);

  const sent = given.map(([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]);

  return `${stand.origin}/api/oauth/authorize?${new URLSearchParams(sent).toString()}`;
};

const answerSchema = z.object({
  error: z.string().optional(),
  access_token: z.string().default(""),
  refresh_token: z.string().default(""),
  scope: z.string().optional(),
  expires_in: z.number().optional(),
});

const send = async (path: string, form: Record<string, string>) => {
  const response = await fetch(`${stand.origin}/api/oauth/${path}`, {
    method: "POST",
    headers: { "X-Forwarded-For": `10.${randomBytes(3).join(".")}` },
    body: new URLSearchParams(form),
  });

  return { status: response.status, ...answerSchema.parse(await response.json()) };
};

const codeFor = async (request: Authorization): Promise<string> => (await allow(stand, request)).searchParams.get("code") ?? "";

const exchange = (request: Authorization, code: string, change: Record<string, string> = {}) =>
  send("token", {
    grant_type: "authorization_code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code,
    code_verifier: VERIFIER,
    ...change,
  });

const refresh = (request: Authorization, token: string, change: Record<string, string> = {}) =>
  send("token", { grant_type: "refresh_token", client_id: request.clientId, refresh_token: token, ...change });

const granted = async (change: Partial<Authorization> = {}) => {
  const request = requestOf(change);

  return { request, ...(await exchange(request, await codeFor(request))) };
};

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const statusOf = async (token: string, to = url) => (await post(to, PING, { Authorization: `Bearer ${token}` })).status;

describe("a client that knows only the address of a graph", () => {
  test("registers, asks, and drives the graph after consent, with refreshed tokens in the same session", async () => {
    const provider = createProvider("Inspector");
    const transport = createTransport(url, provider);
    await expect(connectOver(transport)).rejects.toThrow("Unauthorized");
    const { response, request } = await openAuthorization(provider.asked());
    expect([response.status, response.headers.get("location")]).toEqual([303, `${stand.origin}/authorize`]);
    if (!request) throw new Error("no request was kept");
    expect(await consentOf(stand, request)).toMatchObject({
      clientName: "Inspector",
      clientHost: null,
      redirectUri: REDIRECT,
      graph: { id: graph },
      scopes: ["run.read", "run.drive", "approval.request"],
    });
    const to = await allow(stand, request);
    expect([`${to.origin}${to.pathname}`, to.searchParams.get("state"), to.searchParams.get("iss")]).toEqual([
      REDIRECT,
      "state-1",
      stand.origin,
    ]);
    await transport.finishAuth(to.searchParams.get("code") ?? "");
    const client = await connectOver(createTransport(url, provider));
    const step = { name: "step", arguments: { action: "look_up", inputs: { order_id: "ord_2001" } } };
    const first = z.object({ structuredContent: z.object({ session: z.string() }) }).parse(await client.callTool(step));
    const { session } = first.structuredContent;
    const before = provider.stored.tokens?.access_token;
    provider.stored.tokens = { ...provider.stored.tokens, access_token: `cs_${"A".repeat(43)}`, token_type: "Bearer" };
    const last = await client.callTool({ name: "step", arguments: { action: "close", session } });
    expect(last).toMatchObject({ structuredContent: { session, status: "completed" } });
    expect(provider.stored.tokens.access_token).not.toBe(before);
    expect(await statusOf(before ?? "")).toBe(401);
    await client.close();
  });

  test("gets a token that is a row of the signed records, for one graph, the chosen scopes and an hour", async () => {
    const request = requestOf({ scope: "run.read run.drive architect" });
    const to = await allow(stand, request, ["run.read"]);
    const answer = await exchange(request, to.searchParams.get("code") ?? "");
    expect(answer).toMatchObject({ status: 200, scope: "run.read", expires_in: 3_600 });
    const [listed] = await (await callerOf(stand, "builder")).connect.tokens.list();
    expect(listed).toMatchObject({ name: "Client", graphs: [graph], scopes: ["run.read"], integrity: "untrusted", status: "active" });
    expect(listed?.redirectHost).toBe("127.0.0.1:33418");
    expect((listed?.expiresAt ?? 0) - (listed?.createdAt ?? 0)).toBe(GRANT_MS);
    expect(toCanonicalJson(JSON.parse(JSON.stringify(listed)))).not.toMatch(/credential|familyKey/);
    const rows = JSON.stringify(await query(stand.desk.urls.admin, "select t::text as row from agent_token t"));
    for (const secret of [answer.access_token, answer.refresh_token]) expect(rows.includes(secret.slice(12))).toBe(false);
    const steps = (await recordsOf(stand.desk)).flatMap(({ control }) =>
      control.flatMap((event) => (event.type === "admin_changed" && event.subject === listed?.id ? [event.step] : [])),
    );
    expect(steps).toEqual(["minted", "redeemed"]);
  });
});

describe("a code", () => {
  test("that is used again ends the grant and its tokens", async () => {
    const request = requestOf();
    const code = await codeFor(request);
    const first = await exchange(request, code);
    expect(await statusOf(first.access_token)).not.toBe(401);
    expect(await exchange(request, code)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await statusOf(first.access_token)).toBe(401);
    expect(await refresh(request, first.refresh_token)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("used twice at once gives one answer, whose token is over", async () => {
    const request = requestOf();
    const code = await codeFor(request);
    const answers = await Promise.all([exchange(request, code), exchange(request, code)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { access_token: token } of answers) expect(await statusOf(token)).toBe(401);
  });

  test.each<[string, (request: Authorization) => Record<string, string>]>([
    ["a wrong verifier", () => ({ code_verifier: randomBytes(32).toString("base64url") })],
    ["the challenge as the verifier", () => ({ code_verifier: challengeOf(VERIFIER) })],
    ["another client", () => ({ client_id: clientId("Other") })],
    ["another redirect URI", () => ({ redirect_uri: "http://127.0.0.1:1/callback" })],
  ])("with %s gives nothing and is spent", async (_name, change) => {
    const request = requestOf();
    const code = await codeFor(request);
    expect(await exchange(request, code, change(request))).toMatchObject({ status: 400, error: "invalid_grant", access_token: "" });
    expect(await exchange(request, code)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("without a verifier gives nothing", async () => {
    const request = requestOf();
    const form = { code: await codeFor(request) };
    const answer = await send("token", { grant_type: "authorization_code", client_id: request.clientId, ...form });
    expect(answer).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("for another resource is refused, and stays good for its own", async () => {
    const request = requestOf();
    const code = await codeFor(request);
    expect(await exchange(request, code, { resource: otherUrl })).toMatchObject({ status: 400, error: "invalid_target" });
    expect(await exchange(request, code, { resource: url })).toMatchObject({ status: 200 });
  });

  test("is no access token, and no refresh token", async () => {
    const request = requestOf();
    const code = await codeFor(request);
    expect(await statusOf(code)).toBe(401);
    expect(await refresh(request, code)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await refresh(request, code.replace("cc_", "cr_"))).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await exchange(request, code)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("is over after a minute", async () => {
    const request = requestOf();
    const code = await codeFor(request);
    const late = new Date(Date.now() - 1);
    const changed = await query(stand.desk.urls.admin, "update agent_token set expires_at = $1 where oauth ->> 'challenge' is not null", [
      late,
    ]);
    expect(changed).toEqual([]);
    expect(await exchange(request, code)).toMatchObject({ error: "invalid_grant", access_token: "" });
  });
});

describe("a refresh token", () => {
  test("is replaced with each use; the one before ends the grant", async () => {
    const { request, refresh_token: first } = await granted();
    const second = await refresh(request, first);
    expect(second).toMatchObject({ status: 200 });
    expect(await refresh(request, first)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await refresh(request, second.refresh_token)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await statusOf(second.access_token)).toBe(401);
  });

  test("of another client gives nothing", async () => {
    const { refresh_token: token } = await granted();
    const other = requestOf({ clientId: clientId("Other") });
    expect(await refresh(other, token)).toMatchObject({ status: 400, error: "invalid_grant", access_token: "" });
  });

  test("that is made up changes nothing", async () => {
    const { request, access_token: token } = await granted();
    expect(await refresh(request, `cr_${"A".repeat(86)}`)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await statusOf(token)).not.toBe(401);
  });

  test("gets no wider scope", async () => {
    const { request, refresh_token: token } = await granted();
    expect(await refresh(request, token, { scope: "run.read run.fork_live" })).toMatchObject({ status: 400, error: "invalid_scope" });
  });

  test("gives nothing once the person may make no tokens", async () => {
    const { request, refresh_token: token } = await granted();
    const [row] = await query<{ role: string }>(stand.desk.urls.admin, "select role from membership where user_id = $1", [
      stand.desk.people.builder,
    ]);
    await query(stand.desk.urls.admin, "update membership set role = 'viewer' where user_id = $1", [stand.desk.people.builder]);
    expect(await refresh(request, token)).toMatchObject({ error: "invalid_grant", access_token: "" });
    await query(stand.desk.urls.admin, "update membership set role = $2 where user_id = $1", [stand.desk.people.builder, row?.role ?? ""]);
  });
});

describe("an access token", () => {
  test("opens its graph only", async () => {
    const { access_token: token } = await granted();
    expect([await statusOf(token), await statusOf(token, otherUrl)]).toEqual([200, 404]);
    expect(await statusOf((await stand.mint()).token, otherUrl)).toBe(200);
    expect((await fetch(`${stand.origin}/api/v1/runs`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
  });

  test.each(["access_token", "refresh_token"] as const)("ends with the grant when the client revokes its %s", async (name) => {
    const found = await granted();
    const foreign = await send("revoke", { client_id: clientId("Other"), token: found[name] });
    expect([foreign.status, foreign.error]).toEqual([400, "unsupported_token_type"]);
    expect(await statusOf(found.access_token)).not.toBe(401);
    expect((await send("revoke", { client_id: found.request.clientId, token: found[name] })).status).toBe(200);
    expect(await statusOf(found.access_token)).toBe(401);
    expect(await refresh(found.request, found.refresh_token)).toMatchObject({ error: "invalid_grant" });
  });

  test("that a person made is not a client's to revoke", async () => {
    const { token } = await stand.mint();
    expect(await send("revoke", { client_id: clientId(), token })).toMatchObject({ status: 400, error: "unsupported_token_type" });
    expect(await statusOf(token)).not.toBe(401);
  });

  test("ends when a person revokes the grant under Tokens", async () => {
    const found = await granted();
    const builder = await callerOf(stand, "builder");
    const [listed] = await builder.connect.tokens.list();
    await builder.connect.tokens.revoke({ tokenId: listed?.id ?? "" });
    expect(await statusOf(found.access_token)).toBe(401);
    expect(await refresh(found.request, found.refresh_token)).toMatchObject({ error: "invalid_grant" });
  });
});

describe("a row that the database's owner changed", () => {
  test.each([
    ["scopes", "scopes = array['run.fork_live']"],
    ["graphs", "all_graphs = true"],
    ["digest of the refresh token", `oauth = jsonb_set(oauth, '{credential}', '"${"a".repeat(64)}"')`],
  ])("in its %s gives no token", async (_name, change) => {
    const { request, refresh_token: token } = await granted();
    await query(
      stand.desk.urls.admin,
      `update agent_token set ${change} where id = (select id from agent_token order by created_at desc limit 1)`,
    );
    expect(await refresh(request, token)).toMatchObject({ error: "invalid_grant", access_token: "" });
  });
});

describe("a request", () => {
  test.each<[string, Partial<Record<keyof Authorization, string | undefined>>, string]>([
    ["an unknown client", { clientId: "made-up" }, "invalid_client"],
    ["a client of another installation", { clientId: `e30.${"A".repeat(43)}` }, "invalid_client"],
    ["a foreign redirect URI", { redirectUri: "https://evil.test/" }, "invalid_redirect_uri"],
    ["a longer redirect URI", { redirectUri: `${REDIRECT}/more` }, "invalid_redirect_uri"],
    ["a redirect URI with another query", { redirectUri: `${REDIRECT}?next=https://evil.test` }, "invalid_redirect_uri"],
    ["another loopback host", { redirectUri: "http://localhost:33418/callback" }, "invalid_redirect_uri"],
    ["no redirect URI", { redirectUri: undefined }, "invalid_request"],
  ])("with %s is never redirected", async (_name, change, error) => {
    const { response, request } = await openAuthorization(addressOf({ ...requestOf(), ...change }));
    expect([response.status, response.headers.get("location"), request]).toEqual([400, null, null]);
    expect(await response.json()).toMatchObject({ error });
  });

  test.each<[string, Partial<Record<keyof Authorization, string | undefined>>, string]>([
    ["the implicit flow", { responseType: "token" }, "unsupported_response_type"],
    ["no challenge", { codeChallenge: undefined }, "invalid_request"],
    ["a plain challenge", { codeChallengeMethod: "plain" }, "invalid_request"],
    ["no method", { codeChallengeMethod: undefined }, "invalid_request"],
    ["no resource", { resource: undefined }, "invalid_target"],
    ["a resource elsewhere", { resource: "https://evil.test/api/mcp/a/b" }, "invalid_target"],
    ["unknown scopes only", { scope: "approvals:decide graphs:write" }, "invalid_scope"],
  ])("with %s is answered to the client, with state and issuer", async (_name, change, error) => {
    const { response, request } = await openAuthorization(addressOf({ ...requestOf(), ...change }));
    const to = new URL(response.headers.get("location") ?? "");
    expect([request, `${to.origin}${to.pathname}`, Object.fromEntries(to.searchParams)]).toEqual([
      null,
      REDIRECT,
      { error, state: "s", iss: stand.origin },
    ]);
  });

  test("may use another port on loopback", async () => {
    expect((await openAuthorization(addressOf(requestOf({ redirectUri: "http://127.0.0.1:5/callback" })))).request).not.toBeNull();
  });

  test("whose client id is an https address waits for a person, and is not fetched at a private one", async () => {
    const { request } = await openAuthorization(addressOf(requestOf({ clientId: "https://127.0.0.1:1/client.json" })));
    if (!request) throw new Error("no request was kept");
    expect(await consentOf(stand, request)).toBeNull();
    const exchanged = await exchange(requestOf({ clientId: "https://client.test/client.json" }), await codeFor(requestOf()));
    expect(exchanged).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await exchange(requestOf({ clientId: "made-up" }), "c")).toMatchObject({ status: 401, error: "invalid_client" });
  });

  test("that names a parameter twice, or does not fit into its cookie, is refused", async () => {
    const registered = clientId("Client", [REDIRECT, `https://client.test/${"a".repeat(200)}`]);
    const long = requestOf({ clientId: registered, state: "€".repeat(500), scope: `run.read ${"€".repeat(290)}` });
    for (const address of [`${addressOf(requestOf())}&state=t`, addressOf(long)])
      expect((await fetch(address, { redirect: "manual" })).status).toBe(400);
  });
});

const mintAs = async (role: "builder" | "reviewer", change: Partial<Minting>) => {
  const { workspace, people, urls } = stand.desk;
  const { minting } = await prepareGrant(workspace, requestOf(), ["run.read"]);
  const author = { type: "user", id: people[role], session: await openTestSession(urls.admin, people[role]) } as const;

  return mintToken(workspace, author, { ...minting, ...change });
};

describe("a consent", () => {
  test("of a person who may make no tokens is refused, by the control plane too", async () => {
    await expect(allow(stand, requestOf(), ["run.read"], "reviewer")).rejects.toMatchObject({ cause: { code: "forbidden" } });
    await expect(mintAs("reviewer", {})).rejects.toMatchObject({ refusal: "role_missing" });
  });

  test.each<[string, Partial<Minting>]>([
    ["all graphs", { graphs: null }],
    ["scopes of the API", { scopes: ["runs:read"] }],
    ["a code that lasts", { lifetimeMs: 3_600_000 }],
  ])("to %s is refused by the control plane", async (_name, change) => {
    await expect(mintAs("builder", change)).rejects.toMatchObject({ refusal: "step_refused" });
  });

  test("to more than the client asked for, to another workspace's graph, or to a graph that agents do not drive is refused", async () => {
    await expect(allow(stand, requestOf(), ["run.fork_live"])).rejects.toMatchObject({ cause: { code: "bad_request" } });
    const elsewhere = requestOf({ resource: stand.url(graph, randomUUID()) });
    await expect(allow(stand, elsewhere)).rejects.toMatchObject({ cause: { code: "not_found" } });
    await expect(allow(stand, requestOf({ resource: stand.url(randomUUID()) }))).rejects.toMatchObject({ cause: { code: "not_found" } });
  });

  test("by GET, or from another page, is refused", async () => {
    const context = { requestId: "r", address: "test", host: "localhost", signedIn: async () => null };
    const path = `${stand.origin}/api/trpc/connect.grants.allow`;
    const input = JSON.stringify({ request: requestOf(), scopes: ["run.read"] });
    const byGet = await handleTrpc(new Request(`${path}?input=${encodeURIComponent(input)}`), context);
    expect([byGet.status, (await byGet.text()).includes("code=")]).toEqual([400, false]);
    for (const headers of [
      { origin: "https://evil.test", "content-type": "application/json" },
      { origin: stand.origin, "content-type": "application/x-www-form-urlencoded" },
    ]) {
      const answered = await handleTrpc(new Request(path, { method: "POST", body: input, headers }), context);
      expect([400, 403]).toContain(answered.status);
    }
  });
});

describe("a registration", () => {
  const register = async (body: object) => {
    const response = await fetch(`${stand.origin}/api/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });

    return { status: response.status, ...z.object({ error: z.string().optional() }).parse(await response.json()) };
  };

  test.each<[string, object, string]>([
    ["http elsewhere", { redirect_uris: ["http://client.test/"] }, "invalid_redirect_uri"],
    ["a scheme of an application", { redirect_uris: ["cursor://callback"] }, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["a fragment", { redirect_uris: ["https://client.test/#a"] }, "invalid_redirect_uri"],
    ["credentials", { redirect_uris: ["https://countersign.test@evil.test/"] }, "invalid_redirect_uri"],
    ["a host that only begins with loopback", { redirect_uris: ["http://127.0.0.1.evil.test/"] }, "invalid_redirect_uri"],
    ["none", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["six", { redirect_uris: Array.from({ length: 6 }, (_, n) => `https://client.test/${n}`) }, "invalid_redirect_uri"],
    ["a text direction in the name", { client_name: "Claude\u202Egpj", redirect_uris: [REDIRECT] }, "invalid_client_metadata"],
    ["an invisible character in the name", { client_name: "Cla\u200Bude", redirect_uris: [REDIRECT] }, "invalid_client_metadata"],
    ["client credentials", { grant_types: ["client_credentials"], redirect_uris: [REDIRECT] }, "invalid_client_metadata"],
  ])("with %s is refused", async (_name, body, error) => {
    expect(await register({ client_name: "Client", ...body })).toEqual({ status: 400, error });
  });

  test("is limited for each network", async () => {
    const answers: number[] = [];
    while (answers.length < 25 && answers.at(-1) !== 429) answers.push((await register({ redirect_uris: [REDIRECT] })).status);
    expect(answers.at(-1)).toBe(429);
  });
});
