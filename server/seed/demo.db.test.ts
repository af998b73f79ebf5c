import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { digestOf } from "@/lib/hash";
import { systemClock } from "@/server/clock";
import { getDatabase } from "@/server/db/client";
import { withClient } from "@/server/db/connect";
import { closeRunBus } from "@/server/live/run-bus";
import { workRegistryCommands } from "@/server/mcp/registry-worker";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { bundleServers } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { seedDemoWorkspace } from "@/server/seed/demo";
import { bringUpServer } from "@/server/seed/demo-servers";
import { ensureInbox } from "@/server/seed/inbox-folder";
import { submitAs } from "@/server/seed/submit";
import { DEMO_CUSTOMERS } from "@/server/seed/support-desk/customers";
import { DEMO_MAILS, HOSTILE_MAIL } from "@/server/seed/support-desk/inbox";
import { DEMO_AGENTS, DEMO_GRAPH_ID, DEMO_GRAPHS, DEMO_SERVERS } from "@/server/seed/workflows";
import { listAgents } from "@/server/store/agents/agents";
import { beat } from "@/server/store/health";
import { getVersion, listUsableVersions, listVersions } from "@/server/store/graphs/versions";
import { getGraph, listGraphs } from "@/server/store/graphs/graphs";
import { listDemoCustomers } from "@/server/store/demo-customers";
import { listMcpServers } from "@/server/store/mcp/servers";
import type { NewPerson } from "@/lib/people/membership";
import type { Role } from "@/lib/roles";
import { readAskedByUser } from "@/server/runner/user-request";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { answerCommands, testControlPlane, type TestControlPlane } from "@/server/testing/authority";
import { submitFor } from "@/server/web/membership";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("admin");
const installation = await testInstallation();
const VAULT = "cd".repeat(32);
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const workspace = randomUUID();
const account = (name: string, role: Role): NewPerson => ({
  id: randomUUID(),
  name,
  email: `${name}@demo.invalid`,
  role,
  password_hash: null,
});
const admin = account("admin", "admin");
const builder = account("builder", "builder");
const second = account("second", "builder");
let mcp: McpService;
let plane: TestControlPlane;

const seed = () => seedDemoWorkspace(workspace, { author: builder.id, second: second.id }, submitAs(workspace, admin.id));

const read = async (server: string, tool: string, args: Record<string, string>) => {
  const versions = await listVersions(workspace, DEMO_GRAPH_ID);
  const version = await getVersion(workspace, versions[0]?.hash ?? "");
  const definitionDigest = version?.published.tools.find((pin) => pin.server === server && pin.tool === tool)?.definition_digest ?? "";
  const call = {
    workspace,
    server,
    tool,
    arguments: args,
    caller: "node",
    definitionDigest,
    effectId: randomUUID(),
    idempotencyKey: randomUUID(),
    receipt: null,
  };

  return mcp.call(call, AbortSignal.timeout(15_000));
};

beforeAll(async () => {
  plane = await testControlPlane(VAULT);
  const answering = answerCommands(urls.admin, plane);
  await ensureInbox(installation.home);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), VAULT, { mode: 0o600 });
  await bundleServers(installation, ["customers", "library", "rug-pull", "shop"]);
  mcp = createLocalMcp({
    authority: plane.authority,
    clock: systemClock,
    installation,
    customersUrl: urls.customers,
    record: createMcpStepRecorder(plane),
  });
  await submitFor(workspace, admin.id, { kind: "workspace_found", setup: null, name: "Demo", people: [admin, builder, second] });
  await beat("runner", { programs: await mcp.programs() });
  const stopped = new AbortController();
  const working = workRegistryCommands(mcp, readAskedByUser(plane), stopped.signal);
  await Promise.all(DEMO_SERVERS.map((server) => bringUpServer(workspace, server, submitAs(workspace, admin.id))));
  await Promise.all([seed(), seed()]);
  stopped.abort();
  await working;
  await answering();
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await mcp.close();
});

test("the server that changed after its review has drifted, with its new tools unpinned", async () => {
  const server = (await listMcpServers(workspace)).find(({ id }) => id === "rug-pull");
  const tool = server?.tools.find(({ name }) => name === "forecast");
  expect(tool?.pinnedDigest).not.toBeNull();
  expect(tool?.seenDigest).not.toBe(tool?.pinnedDigest);
});

test("two graphs with versions depend on it", async () => {
  const versions = (await listUsableVersions(workspace)).filter(({ published }) =>
    published.tools.some((tool) => tool.server === "rug-pull"),
  );
  expect(versions.map(({ published }) => published.graph.name).toSorted()).toEqual(["Delivery planning", "Weather notice"]);
});

test("all other servers are active, with the strictest label on every unreviewed tool", async () => {
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

test("the first version is named by its content and freezes three agents and the used tools only", async () => {
  const [version] = await listVersions(workspace, DEMO_GRAPH_ID);
  const stored = await getVersion(workspace, version?.hash ?? "");
  expect(version).toMatchObject({ number: 1, authorId: builder.id });
  expect(digestOf("graph", JSON.parse(JSON.stringify(stored?.published)))).toBe(version?.hash);
  expect(stored?.published.agents.map((agent) => agent.id)).toEqual(["parser", "planner", "writer"]);
  expect(stored?.published.tools.map((tool) => tool.tool)).toEqual(["find_customer", "update_plan", "read_text_file"]);
});

test("a subgraph is published first and frozen inside its users", async () => {
  const hashOf = async (graph: string) => {
    const row = DEMO_GRAPHS.find(({ document }) => document.id === graph);
    const [version] = await listVersions(workspace, row?.id ?? "");

    return version?.hash ?? "";
  };
  const research = await getVersion(workspace, await hashOf("research-and-publish"));

  expect(research?.published.subgraphs.map(({ version }) => version)).toEqual([await hashOf("fact-check")]);
  expect(research?.published.tools.map(({ tool }) => tool)).toEqual(["publish", "read_page", "retract", "search"]);
});

test("a mail's name makes the real filesystem server read its exact text, only within the inbox", async () => {
  const mail = await read("filesystem", "read_text_file", { path: HOSTILE_MAIL });
  expect(mail).toEqual({ status: "ok", result: { content: DEMO_MAILS[HOSTILE_MAIL] } });
  expect(await read("filesystem", "read_text_file", { path: "../database.json" })).toMatchObject({ status: "tool_error" });
});

test("every sender but one is in the customers table", async () => {
  const known = await read("customers", "find_customer", { email: "maria.lindqvist@nordlicht.example" });
  expect(known).toMatchObject({ status: "ok", result: { customer_id: "cus_1001", plan: "starter" } });
  expect(await read("customers", "find_customer", { email: "robin@castell-bikes.example" })).toMatchObject({ status: "tool_error" });
});

test("the web process reads the customer table without names and addresses, and cannot change it", async () => {
  const { customer_id: id, plan, credit_cents: creditCents } = DEMO_CUSTOMERS[0];
  await withClient(urls.web, async (client) => {
    expect((await listDemoCustomers(client))[0]).toEqual({ id, plan, creditCents, isAdmin: false, changes: 0 });
    for (const text of [
      "select email from customers.customer",
      "select * from customers.customer",
      "update customers.customer set credit_cents = 1",
    ])
      await expect(client.query(text)).rejects.toThrow("permission denied");
  });
});

test("seeding again changes nothing", async () => {
  const asked = () => getDatabase().registryCommand.count({ where: { workspaceId: workspace } });
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
