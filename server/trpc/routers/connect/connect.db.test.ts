import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import type { Role } from "@/lib/roles";
import { asAdmin } from "@/server/mcp/testing/registered";
import { publishAs, query } from "@/server/runner/testing/desk";
import { callerAs } from "@/server/testing/caller";
import { answeringPlane } from "@/server/testing/answering";
import { openTestSession, recordRows } from "@/server/testing/authority";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
vi.stubEnv("NEXTAUTH_URL", "https://countersign.test");
const workspace = randomUUID();
await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Connect')", [workspace]);

const person = async (role: Role) => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@test.invalid`, role]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  await recordRows(plane, workspace);
  const session = { ...(await openTestSession(urls.admin, id)), provedAtMs: Date.now() };

  return { id, connect: callerAs(workspace, role, { id, session }).connect };
};

const driven = (change: Partial<GraphInput>): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "counter",
    name: "Counter",
    memory: [],
    nodes: [{ id: "only", kind: "router", config: {} }],
    edges: [],
    start_node: "only",
    end_nodes: ["only"],
    ...change,
  }),
  agents: [],
  tools: [],
  subgraphs: [],
});

const builder = await person("builder");
const other = await person("builder");
const admin = await person("admin");
await publishAs({ urls, deps: plane, workspace }, driven({ external: {} }), builder.id);
await publishAs({ urls, deps: plane, workspace }, driven({ name: "By itself" }), builder.id);
const WANTED = { name: "ci", scopes: ["run.read" as const, "run.drive" as const], graphs: null, expiresInDays: 30 };

test("offers only driven graphs, with their addresses", async () => {
  const graphs = await builder.connect.graphs.list();
  expect(graphs.map(({ name, endpoint, graphId: id }) => [name, endpoint.replace(id, "<id>")])).toEqual([
    ["Counter", `https://countersign.test/api/mcp/${workspace}/<id>`],
  ]);
});

test("shows a token once: not in lists or rows", async () => {
  const { token, hint } = await builder.connect.tokens.mint(WANTED);
  expect(token.startsWith(hint)).toBe(true);
  const listed = JSON.stringify(await builder.connect.tokens.list());
  const rows = JSON.stringify(await query(urls.admin, "select t::text from agent_token t"));
  for (const text of [listed, rows]) expect(text.includes(token.slice(hint.length))).toBe(false);
});

test("gives a token bounded limits and lists their use", async () => {
  const limits = { runs: 7, sessions: 3, micro_usd: 250_000 };
  const { id } = await builder.connect.tokens.mint({ ...WANTED, limits });
  const usual = await builder.connect.tokens.mint(WANTED);
  const run = `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at, token_id,
    total_micro_usd, reserved_micro_usd) values ($1, gen_random_uuid(), gen_random_uuid(), 'h', $2, 'waiting', 1, 'h',
    now() - make_interval(hours => $4), now() - make_interval(hours => $5), $3, 1000, 200)`;
  // Begun today; active today; over for more than a day.
  for (const [begun, active] of [
    [1, 0],
    [30, 2],
    [40, 30],
  ])
    await asAdmin(urls.admin, run, [workspace, builder.id, id, begun, active]);
  const listed = await builder.connect.tokens.list();
  expect(listed.find((token) => token.id === id)).toMatchObject({ limits, used: { runs: 1, sessions: 0, micro_usd: 2_400 } });
  expect(listed.find((token) => token.id === usual.id)).toMatchObject({ limits: DEFAULT_TOKEN_LIMITS, used: { runs: 0 } });
  await expect(builder.connect.tokens.mint({ ...WANTED, limits: { ...limits, runs: 10_001 } })).rejects.toThrow();
});

test("a builder sees and revokes their own tokens, an admin everyone's", async () => {
  const { id } = await builder.connect.tokens.mint(WANTED);
  const idsOf = async (who: typeof builder) => (await who.connect.tokens.list()).map((token) => token.id);
  expect([(await idsOf(builder)).includes(id), (await idsOf(other)).includes(id), (await idsOf(admin)).includes(id)]).toEqual([
    true,
    false,
    true,
  ]);
  await expect(other.connect.tokens.revoke({ tokenId: id })).rejects.toThrow("Not found");
  await admin.connect.tokens.revoke({ tokenId: id });
  expect((await builder.connect.tokens.list()).find((token) => token.id === id)?.status).toBe("revoked");
});

test("only an admin vouches for an agent's integrity; at most a year, and driven graphs only", async () => {
  await expect(builder.connect.tokens.mint({ ...WANTED, integrity: "trusted" })).rejects.toThrow("Only an admin");
  await admin.connect.tokens.mint({ ...WANTED, integrity: "reviewed" });
  await expect(builder.connect.tokens.mint({ ...WANTED, expiresInDays: 366 })).rejects.toThrow();
  await expect(builder.connect.tokens.mint({ ...WANTED, graphs: [randomUUID()] })).rejects.toThrow("Not found");
});

test("only people who may draw let an agent draw", async () => {
  await builder.connect.tokens.mint({ ...WANTED, scopes: ["architect"] });
  await expect(admin.connect.tokens.mint({ ...WANTED, scopes: ["architect"] })).rejects.toThrow("may draw graphs");
});

test("people drive only their own token by hand, and see raw messages", async () => {
  const { id } = await builder.connect.tokens.mint(WANTED);
  const [graph] = await builder.connect.graphs.list();
  const call = { tokenId: id, graphId: graph?.graphId ?? "", tool: "next", arguments: {} };
  await expect(admin.connect.console.send(call)).rejects.toThrow("Not found");
  const { request, response } = await builder.connect.console.send(call);
  expect(request).toMatchObject({ method: "tools/call", params: { name: "next" } });
  expect(response).toMatchObject({ result: { isError: false, structuredContent: { valid_next_actions: ["only"] } } });
  await builder.connect.tokens.revoke({ tokenId: id });
  await expect(builder.connect.console.send(call)).rejects.toThrow("Not found");
});
