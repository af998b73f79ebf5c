import { expect, test } from "vitest";
import { computeDefinitionDigest } from "@/lib/mcp/definition";
import { UNLABELLED } from "@/lib/mcp/label-proposal";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { testDatabase } from "@/server/testing/database";
import { addMcpServer, setMcpLabels } from "./servers";
import { saveSeen } from "./observed-tools";
import { getRegistryContext } from "./registry-context";

const urls = await testDatabase("runner");

test("a server's place shows its host and whether it has our credential, not its address or process", async () => {
  const workspace = await testWorkspace(urls.admin);
  const digest = "a".repeat(64);
  const bundled = (id: "customers" | "library") => ({ program: id, digest, values: {} });
  await addMcpServer(workspace, { id: "far", name: "far", transport: { type: "http", url: "https://mcp.example.org:8443/hidden/path" } });
  await addMcpServer(workspace, { id: "customers", name: "customers", transport: { type: "stdio", manifest: bundled("customers") } });
  await addMcpServer(workspace, { id: "library", name: "library", transport: { type: "stdio", manifest: bundled("library") } });

  const context = await getRegistryContext(workspace);
  expect(context.servers.map(({ standing: _now, ...place }) => place).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: "customers", host: null, credential: true },
    { id: "far", host: "mcp.example.org:8443", credential: false },
    { id: "library", host: null, credential: false },
  ]);
  expect(context.servers[0]?.standing).toEqual({
    status: "discovered",
    callers: [],
    switchedOff: [],
    unlabelled: [],
    unusable: [],
    isGone: false,
  });
  expect(JSON.stringify(context)).not.toMatch(/hidden|https:|aaaa/u);
});

test("a tool is not labelled until a person says what it is, even as the first labels say", async () => {
  const workspace = await testWorkspace(urls.admin);
  await addMcpServer(workspace, { id: "far", name: "far", transport: { type: "http", url: "https://mcp.example.org/mcp" } });
  const tools = ["one", "other"].map((name) => {
    const definition = { name, title: null, description: "", input_schema: {}, output_schema: null, annotations: null };

    return { definition, digest: computeDefinitionDigest(definition) };
  });
  await saveSeen(workspace, "far", { tools, unusable: [], protocol: null, identity: null });
  const unlabelled = async () => (await getRegistryContext(workspace)).servers[0]?.standing?.unlabelled;
  expect(await unlabelled()).toEqual(["one", "other"]);
  const revision = await setMcpLabels(workspace, "far", 1, { one: UNLABELLED });
  expect(await unlabelled()).toEqual(["other"]);
  await setMcpLabels(workspace, "far", revision, { other: { ...UNLABELLED, effect: "read" } });
  expect(await unlabelled()).toEqual([]);
});
