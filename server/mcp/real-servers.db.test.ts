import { spawn, type ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "@/lib/json";
import type { McpTransport } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { testDatabase } from "@/server/testing/database";
import { addMcpServer, getMcpServer } from "@/server/store/mcp/servers";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { callTool } from "./testing/calling";
import { listen, oldServer } from "./testing/http-server";
import { testInstallation } from "./testing/installation";
import { bundledManifest } from "./testing/programs";
import { activeServer, asAdmin, reviewAndActivate, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const methods: string[] = [];
const old = await listen(oldServer(methods));
const redirecting = await listen((_body, response) => {
  response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data/" }).end();
});

let meanwhile: () => Promise<void> = async () => undefined;
const slowMethods: string[] = [];
const slow = await listen((body, response) => {
  const answer = oldServer(slowMethods);
  if (body.includes('"tools/list"')) void meanwhile().then(() => answer(body, response));
  else answer(body, response);
});

let mcp: McpService;
let workspace: string;
let everything: ChildProcess;
let everythingUrl: string;

/** Does not report the port chosen for 0, so tries several below the ephemeral range. */
const startEverything = async (): Promise<void> => {
  const entry = path.join(installation.root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    everythingUrl = `http://127.0.0.1:${port}`;
    everything = spawn(process.execPath, [entry, "streamableHttp"], { env: { NODE_ENV: "production", PORT: String(port) } });
    const listening = await new Promise<boolean>((resolve) => {
      everything.stderr?.on("data", (text: Buffer) => {
        if (text.includes("listening on port")) resolve(true);
      });
      everything.once("exit", () => resolve(false));
    });
    if (listening) return;
  }
  throw new Error("the reference server found no free port");
};

beforeAll(async () => {
  await startEverything();
  workspace = await testWorkspace(urls.admin);
  const egress = { allowOrigins: [everythingUrl, old, redirecting, slow] };
  mcp = createLocalMcp({ clock: systemClock, installation, egress });
}, 40_000);
afterAll(async () => {
  await mcp.close();
  everything.kill();
});

const call = (server: string, tool: string, args: JsonObject) => callTool(mcp, workspace, server, tool, args);

const addHttp = (id: string, url: string): Promise<void> => {
  const transport: Extract<McpTransport, { type: "http" }> = { type: "http", url };

  return addMcpServer(workspace, { id, name: id, transport }, mcp.egress);
};

it("the filesystem server reads the inbox and nothing outside it", async () => {
  await writeFile(path.join(installation.home, "inbox", "mail.txt"), "hello there");
  await activeServer(workspace, mcp, {
    id: "filesystem",
    manifest: await bundledManifest("filesystem", installation),
    agents: ["node"],
  });
  const read = (file: string) => call("filesystem", "read_text_file", { path: file });
  expect(await read(path.join(installation.home, "inbox", "mail.txt"))).toMatchObject({ status: "ok", result: { content: "hello there" } });
  expect(await read("mail.txt")).toMatchObject({ status: "ok", result: { content: "hello there" } });
  expect(await read("/etc/passwd")).toMatchObject({ status: "tool_error" });
});

it("the everything server answers over HTTP", async () => {
  await addHttp("everything", `${everythingUrl}/mcp`);
  await mcp.inspect(workspace, "everything");
  await reviewAndActivate(workspace, "everything", mcp, ["node"]);
  expect(await call("everything", "echo", { message: "hello" })).toMatchObject({ status: "ok" });
});

it("a local address is refused on write and read unless code opens it", async () => {
  const transport = { type: "http" as const, url: `${everythingUrl}/mcp` };
  await expect(addMcpServer(workspace, { id: "closed", name: "closed", transport })).rejects.toMatchObject({ code: "bad_request" });
  await addHttp("opened", `${everythingUrl}/mcp`);
  expect((await getMcpServer(workspace, "opened"))?.transport).toBeNull();
});

it("an old server that breaks on the probe works in the old protocol and is probed once", async () => {
  await addHttp("old", `${old}/mcp`);
  await mcp.inspect(workspace, "old");
  await reviewAndActivate(workspace, "old", mcp, ["node"]);
  expect(await call("old", "echo", {})).toEqual({ status: "ok", result: { content: [{ type: "text", text: "hello" }] } });
  await mcp.evict(workspace, "old");
  expect(await call("old", "echo", {})).toMatchObject({ status: "ok" });
  expect(methods.filter((method) => method === "server/discover")).toHaveLength(1);
});

it("a tool switched off during a slow connection is not called", async () => {
  await addHttp("slow", `${slow}/mcp`);
  await mcp.inspect(workspace, "slow");
  await reviewAndActivate(workspace, "slow", mcp, ["node"]);
  await mcp.evict(workspace, "slow");
  meanwhile = () => asAdmin(urls.admin, "update mcp_tool set blocked_at = now() where server_id = 'slow'");
  expect(await call("slow", "echo", {})).toEqual({ status: "unavailable", result: null });
  await asAdmin(urls.admin, "update mcp_tool set blocked_at = null where server_id = 'slow'");
  await mcp.evict(workspace, "slow");
  meanwhile = () => asAdmin(urls.admin, "update mcp_server set revision = revision + 1, allowed_agents = '[]' where id = 'slow'");
  expect(await call("slow", "echo", {})).toEqual({ status: "not_allowed", result: null });
  expect(slowMethods).not.toContain("tools/call");
});

it("a redirect to a private address is not followed", async () => {
  await addHttp("redirecting", `${redirecting}/mcp`);
  await expect(mcp.inspect(workspace, "redirecting")).rejects.toMatchObject({ code: "server_unreachable" });
});
