import { expect, test } from "vitest";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { testDatabase } from "@/server/testing/database";
import { addMcpServer } from "./servers";
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
  expect(context.servers[0]?.standing).toEqual({ status: "discovered", callers: [], switchedOff: [], unusable: [], isGone: false });
  expect(JSON.stringify(context)).not.toMatch(/hidden|https:|aaaa/u);
});
