import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { addMcpServer } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { callTool } from "./testing/calling";
import { changingServer, HONEST } from "./testing/changing-server";
import { testInstallation } from "./testing/installation";
import { createLocalMcp } from "./testing/local-mcp";
import { offerFile } from "./testing/programs";
import { activeServer, reviewAndActivate, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const changing = await changingServer();
let mcp: McpService;
let workspace: string;

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation, egress: { allowOrigins: [changing.origin] } });
});
afterAll(() => mcp.close());

it("a server with bad tools is used with its good ones, and names each bad one with its reason", async () => {
  const manifest = await offerFile(installation, "bad_tools", path.join(import.meta.dirname, "testing", "unusable-tools.ts"));
  const { tools, unusable } = await activeServer(workspace, mcp, { id: "bad_tools", manifest, agents: ["node"] });
  expect(tools.map(({ name }) => name)).toEqual(["good", "largest", "last"]);
  expect(unusable).toEqual([
    { name: "too_large", reason: "too_large" },
    { name: "a name with spaces", reason: "name_invalid" },
    { name: "no_schema", reason: "schema_invalid" },
    { name: "array_schema", reason: "schema_invalid" },
    { name: "deep", reason: "too_deep" },
    { name: "nul", reason: "not_plain_json" },
    { name: "titled", reason: "text_too_long" },
    { name: "twice", reason: "listed_twice" },
    { name: "(no name)", reason: "schema_invalid" },
  ]);
  for (const tool of ["good", "largest", "last"]) {
    expect(await callTool(mcp, workspace, "bad_tools", tool, {})).toMatchObject({ status: "ok" });
  }
});

it("a bad tool that appears later is no drift; a reviewed tool that becomes bad is", async () => {
  const url = `${changing.origin}/mcp`;
  await addMcpServer(workspace, { id: "changing", name: "changing", transport: { type: "http", url } }, mcp.egress);
  await mcp.inspect(workspace, "changing");
  await reviewAndActivate(workspace, "changing", mcp, ["node"]);
  const [echo, other] = HONEST.tools;
  changing.say({ ...HONEST, tools: [...HONEST.tools, { name: "new one", inputSchema: { type: "object" } }] });
  expect(await callTool(mcp, workspace, "changing", "echo", { text: "hello" })).toMatchObject({ status: "ok" });
  await mcp.inspect(workspace, "changing");
  expect(await serverRow(workspace, "changing", mcp)).toMatchObject({
    status: "active",
    unusable: [{ name: "new one", reason: "name_invalid" }],
  });

  changing.say({ ...HONEST, tools: [{ ...echo, description: "x".repeat(300_000) }, other ?? {}] });
  const called = changing.called();
  expect(await callTool(mcp, workspace, "changing", "other", { text: "hello" })).toEqual({ status: "drifted", result: null });
  const drifted = await serverRow(workspace, "changing", mcp);
  expect([drifted.status, drifted.unusable, changing.called()]).toEqual(["drifted", [{ name: "echo", reason: "too_large" }], called]);

  changing.say(HONEST);
  await mcp.inspect(workspace, "changing");
  expect((await serverRow(workspace, "changing", mcp)).unusable).toEqual([]);
});
