import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digestOf } from "@/lib/hash";
import { systemClock } from "@/server/clock";
import { database, useDatabase } from "@/server/db/client";
import { workRegistryCommands } from "@/server/mcp/registry-worker";
import { createMcp, type McpService } from "@/server/mcp/service";
import { bundleServers, testInstallation } from "@/server/mcp/testing/installation";
import { seedDemoWorkspace } from "@/server/seed/demo";
import { bringUpServer } from "@/server/seed/demo-servers";
import { ensureInbox } from "@/server/seed/inbox-folder";
import { submitAs } from "@/server/seed/submit";
import { DEMO_MAILS, HOSTILE_MAIL } from "@/server/seed/support-desk/inbox";
import { DEMO_AGENTS, DEMO_GRAPH_ID, DEMO_GRAPHS, DEMO_SERVERS } from "@/server/seed/workflows";
import { listAgents } from "@/server/store/agents";
import { getVersion, listVersions } from "@/server/store/graph-versions";
import { getGraph, listGraphs } from "@/server/store/graphs";
import { listMcpServers } from "@/server/store/mcp";
import { ensureDemoWorkspace, type NewDemoAccount } from "@/server/store/setup";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const installation = await testInstallation();
const workspace = randomUUID();
const account = (role: NewDemoAccount["role"]): NewDemoAccount => ({
  userId: randomUUID(),
  name: role,
  email: `${role}@demo.invalid`,
  role,
});
const admin = account("admin");
const builder = account("builder");
let mcp: McpService;

const seed = () => seedDemoWorkspace(workspace, builder.userId, submitAs(workspace, admin.userId));

const read = async (server: string, tool: string, args: Record<string, string>) => {
  const versions = await listVersions(workspace, DEMO_GRAPH_ID);
  const version = await getVersion(workspace, versions[0]?.hash ?? "");
  const definitionDigest = version?.published.tools.find((pin) => pin.server === server && pin.tool === tool)?.definition_digest ?? "";
  const call = { workspace, server, tool, arguments: args, caller: "node", definitionDigest, effectId: randomUUID(), receipt: null };

  return mcp.call(call, AbortSignal.timeout(15_000));
};

beforeAll(async () => {
  await ensureDemoWorkspace(workspace, "Demo", [admin, builder], "builder");
  await ensureInbox(installation.home);
  await bundleServers(installation, ["customers", "library", "rug-pull", "shop"]);
  mcp = createMcp({ clock: systemClock, installation, customersUrl: urls.customers });
  // One process can be the database's role of web or runner at a time: first the servers, then the rest as the web alone.
  const stopped = new AbortController();
  const working = workRegistryCommands(mcp, stopped.signal);
  await Promise.all(DEMO_SERVERS.map((server) => bringUpServer(workspace, server, submitAs(workspace, admin.userId))));
  stopped.abort();
  await working;
  await useDatabase(urls.web);
  await Promise.all([seed(), seed()]);
  await useDatabase(urls.admin);
});
afterAll(() => mcp.close());

test("the server that changed after its review has drifted, and what it says now is not what was pinned", async () => {
  const server = (await listMcpServers(workspace)).find(({ id }) => id === "rug-pull");
  const tool = server?.tools.find(({ name }) => name === "forecast");
  expect(tool?.pinnedDigest).not.toBeNull();
  expect(tool?.seenDigest).not.toBe(tool?.pinnedDigest);
});

test("all other servers are active, with the strictest label on every tool that nobody looked at", async () => {
  const servers = await listMcpServers(workspace);
  expect(servers.map((server) => [server.id, server.status])).toEqual([
    ["customers", "active"],
    ["filesystem", "active"],
    ["library", "active"],
    ["shop", "active"],
    ["rug-pull", "drifted"],
  ]);
  const labels = Object.fromEntries(servers.flatMap((server) => server.tools.map((tool) => [tool.name, tool.effect])));
  expect(labels).toMatchObject({ read_text_file: "read", find_customer: "read", update_plan: "write", write_file: "irreversible" });
  expect(labels).toMatchObject({ publish: "irreversible", charge_card: "irreversible", reserve_stock: "write", check_stock: "read" });
});

test("the first version is named by its content and freezes three agents and only the tools that are used", async () => {
  const [version] = await listVersions(workspace, DEMO_GRAPH_ID);
  const stored = await getVersion(workspace, version?.hash ?? "");
  expect(version).toMatchObject({ number: 1, authorId: builder.userId });
  expect(digestOf("graph", JSON.parse(JSON.stringify(stored?.published)))).toBe(version?.hash);
  expect(stored?.published.agents.map((agent) => agent.id)).toEqual(["parser", "planner", "writer"]);
  expect(stored?.published.tools.map((tool) => tool.tool)).toEqual(["find_customer", "update_plan", "read_text_file"]);
});

test("a graph that is used as a step is published before, and frozen inside of what uses it", async () => {
  const hashOf = async (graph: string) => {
    const row = DEMO_GRAPHS.find(({ document }) => document.id === graph);
    const [version] = await listVersions(workspace, row?.id ?? "");

    return version?.hash ?? "";
  };
  const research = await getVersion(workspace, await hashOf("research-and-publish"));

  expect(research?.published.subgraphs.map(({ version }) => version)).toEqual([await hashOf("fact-check")]);
  expect(research?.published.tools.map(({ tool }) => tool)).toEqual(["publish", "read_page", "retract", "search"]);
});

test("a mail's name leads the real filesystem server to its exact text, and no further than the inbox", async () => {
  const mail = await read("filesystem", "read_text_file", { path: HOSTILE_MAIL });
  expect(mail).toEqual({ status: "ok", result: { content: DEMO_MAILS[HOSTILE_MAIL] } });
  expect(await read("filesystem", "read_text_file", { path: "../database.json" })).toMatchObject({ status: "tool_error" });
});

test("each sender but one is in the customers table", async () => {
  const known = await read("customers", "find_customer", { email: "maria.lindqvist@nordlicht.example" });
  expect(known).toMatchObject({ status: "ok", result: { customer_id: "cus_1001", plan: "starter" } });
  expect(await read("customers", "find_customer", { email: "robin@castell-bikes.example" })).toMatchObject({ status: "tool_error" });
});

test("seeding again asks for nothing and makes nothing", async () => {
  const asked = () => database().registryCommand.count({ where: { workspaceId: workspace } });
  const before = await asked();
  await seed();
  expect(await asked()).toBe(before);
  expect(await listGraphs(workspace)).toHaveLength(DEMO_GRAPHS.length);
  for (const { id } of DEMO_GRAPHS) {
    expect(await listVersions(workspace, id)).toHaveLength(1);
    expect((await getGraph(workspace, id))?.revision).toBe(1);
  }
  expect((await listAgents(workspace)).map((row) => row.revision)).toEqual(DEMO_AGENTS.map(() => 1));
});
