import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { describeProtectedResource } from "@/server/outside/metadata";
import { post } from "@/server/outside/testing/client";
import { refusalsOf } from "@/server/outside/testing/records";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let graph: string;
let url: string;
beforeAll(async () => {
  stand = await open();
  graph = await stand.graphId("refund-desk");
  url = stand.url(graph);
});
afterAll(() => stand.close());

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const statusOf = async (token: string, to = url, headers: Record<string, string> = {}) =>
  (await post(to, INITIALIZE, { ...bearer(token), ...headers })).status;

describe("a token", () => {
  test("is requested with a pointer to its metadata", async () => {
    const response = await post(url, INITIALIZE);
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    expect(metadata).toBe(`${stand.origin}/.well-known/oauth-protected-resource/api/mcp/${stand.desk.workspace}/${graph}`);
    const answer: unknown = await describeProtectedResource(new URL(metadata).pathname.split("/").slice(3)).json();
    expect(answer).toMatchObject({ resource: url, bearer_methods_supported: ["header"] });
  });

  test("opens its endpoint and updates its last use", async () => {
    const { token, id } = await stand.mint();
    expect(await statusOf(token)).toBe(200);
    const [row] = await query<{ used: boolean }>(
      stand.desk.urls.admin,
      "select last_used_at is not null as used from agent_token where id = $1",
      [id],
    );
    expect(row?.used).toBe(true);
  });

  test("is stored as a hash only", async () => {
    const { token } = await stand.mint();
    const rows = await query<{ row: string }>(stand.desk.urls.admin, "select t::text as row from agent_token t");
    expect(rows.some(({ row }) => row.includes(token.slice(12)))).toBe(false);
  });

  test("in the address is refused with an explanation, valid or not", async () => {
    const { token } = await stand.mint();
    const response = await post(`${url}?access_token=${token}`, INITIALIZE, bearer(token));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("revoke it");
  });

  test.each([
    ["made up", async () => `cs_${"A".repeat(43)}`],
    ["of another form", async () => "secret"],
    [
      "revoked",
      async () => {
        const { token, id } = await stand.mint();
        await stand.revoke(id);

        return token;
      },
    ],
    ["expired", async () => (await stand.mint({ lifetimeMs: 1 })).token],
    [
      "of a member who lost the permission to connect agents",
      async () => {
        const { workspace, people, urls } = stand.desk;
        const { token } = await stand.mint({ ownerId: people.starter });
        const [was, standing] = [
          { role: "builder", auditor: false },
          { role: "viewer", auditor: false },
        ] as const;
        await submitCommand({
          workspaceId: workspace,
          author: { type: "user", id: people.admin, session: await openTestSession(urls.admin, people.admin) },
          runId: getWorkspaceLedgerId(workspace),
          body: { kind: "people_change", user: people.starter, was, standing },
        });

        return token;
      },
    ],
  ])("that is %s opens nothing", async (_what, make) => {
    expect(await statusOf(await make())).toBe(401);
  });

  test("leaves a record when used after revocation", async () => {
    const { token, id } = await stand.mint();
    await stand.revoke(id);
    await statusOf(token);
    expect(await refusalsOf(stand.desk, id)).toEqual(["read: not_found"]);
  });

  test.each([
    ["another graph than it is for", async () => ({ change: { graphs: [randomUUID()] }, to: url })],
    ["a graph that is not there", async () => ({ change: {}, to: stand.url(randomUUID()) })],
    ["a graph that runs by itself", async () => ({ change: {}, to: stand.url(await stand.graphId("support-desk")) })],
    ["another workspace", async () => ({ change: {}, to: stand.url(graph, randomUUID()) })],
    ["nothing at all", async () => ({ change: {}, to: stand.url("x", "") })],
  ])("at %s finds nothing, gets the same answer and a record", async (_what, where) => {
    const { change, to } = await where();
    const { token, id } = await stand.mint(change);
    const response = await post(to, INITIALIZE, bearer(token));
    expect([response.status, await response.json()]).toEqual([
      404,
      { jsonrpc: "2.0", error: { code: -32_001, message: "There is nothing here under that address." }, id: null },
    ]);
    expect(await refusalsOf(stand.desk, id)).toEqual(["read: not_found"]);
  });
});

describe("a request", () => {
  test("from another origin's page is refused; without an origin, or from ours, it is not", async () => {
    const { token } = await stand.mint();
    expect(await statusOf(token, url, { Origin: "https://evil.example" })).toBe(403);
    expect(await statusOf(token, url, { Origin: stand.origin })).toBe(200);
  });

  test.each([
    ["larger than 1 MiB", 413, `"${"x".repeat(1_048_600)}"`],
    ["deeper than 32 levels", 400, `${"[".repeat(33)}${"]".repeat(33)}`],
    ["no JSON", 400, "{canary"],
  ])("whose body is %s is refused, on record", async (_what, status, body) => {
    const { token, id } = await stand.mint();
    const response = await post(url, body, bearer(token));
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain("canary");
    expect(await refusalsOf(stand.desk, id)).toEqual(["read: not_found"]);
  });

  test("is rate-limited per token, and guesses per address", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { token } = await stand.mint();
    const codesOf = async (count: number, authorization: (index: number) => string) => {
      const codes = new Set<number>();
      for (let sent = 0; sent < count; sent += 10) {
        const asked = Array.from({ length: 10 }, (_, index) => fetch(url, { headers: { Authorization: authorization(sent + index) } }));
        for (const { status } of await Promise.all(asked)) codes.add(status);
      }

      return [...codes].toSorted((a, b) => a - b);
    };
    expect(await codesOf(310, () => `Bearer ${token}`)).toEqual([405, 429]);
    expect(await codesOf(80, (index) => `Bearer cs_${String(index).padStart(43, "A")}`)).toEqual([401, 429]);
    vi.useRealTimers();
  });
});

describe("a batch", () => {
  const TOOLS = { jsonrpc: "2.0", method: "tools/list" };
  const batchOf = (length: number, message: object = TOOLS) => JSON.stringify(Array.from({ length }, (_, id) => ({ ...message, id })));

  test.each([
    ["in the protocol of 2026-07-28", { "MCP-Protocol-Version": "2026-07-28" }, 2, TOOLS],
    ["in a protocol that has none any more", { "MCP-Protocol-Version": "2025-06-18" }, 2, TOOLS],
    ["of one message in a protocol that has none", { "MCP-Protocol-Version": "2026-07-28" }, 1, TOOLS],
    ["larger than sixteen", {}, 17, TOOLS],
    [
      "with a message that says it is of 2026-07-28",
      {},
      2,
      { ...TOOLS, params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } },
    ],
  ])("%s is refused", async (_what, headers, length, message) => {
    const { token } = await stand.mint();
    const response = await post(url, batchOf(length, message), { ...bearer(token), ...headers });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
  });

  test("that is refused is on record", async () => {
    const { token, id } = await stand.mint();
    await post(url, batchOf(17), bearer(token));
    expect(await refusalsOf(stand.desk, id)).toEqual(["read: not_found"]);
  });

  test("counts once per message", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { token } = await stand.mint();
    const codes: number[] = [];
    for (let sent = 0; sent < 19; sent += 1) {
      const response = await post(url, batchOf(16), { ...bearer(token), "MCP-Protocol-Version": "2025-03-26" });
      codes.push(response.status);
      await response.text();
    }
    expect(codes).toEqual([...Array.from({ length: 18 }, () => 200), 429]);
    vi.useRealTimers();
  });

  test("runs at most sixteen parallel calls per token", async () => {
    const { token, id } = await stand.mint();
    const step = { method: "tools/call", params: { name: "step", arguments: { action: "look_up", inputs: { order_id: "ord_2001" } } } };
    await stand.stopRunner();
    const calls = Array.from({ length: 2 }, () => post(url, batchOf(12, { jsonrpc: "2.0", ...step }), bearer(token)));
    const pendingOf = () =>
      query<{ n: number }>(stand.desk.urls.admin, "select count(*)::int as n from command where token_id = $1 and status = 'pending'", [
        id,
      ]);
    await vi.waitFor(async () => expect((await pendingOf())[0]?.n).toBe(16), { timeout: 30_000 });
    await stand.replaceRunner();
    for (const call of calls) expect((await call).status).toBe(200);
    for (const call of calls) await (await call).text();
    const [most] = await query<{ n: number }>(
      stand.desk.urls.admin,
      `select max(beside.n)::int as n from command one, lateral (
         select count(*) as n from command other
         where other.token_id = one.token_id and other.kind = 'start' and one.created_at between other.created_at and other.decided_at
       ) beside where one.token_id = $1 and one.kind = 'start'`,
      [id],
    );
    expect(most?.n).toBe(16);
  });
});
