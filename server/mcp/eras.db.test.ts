import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { addMcpServer } from "@/server/store/mcp/servers";
import { getCallProgress } from "@/server/store/mcp/call-progress";
import { createVault } from "@/server/security/vault";
import { keptProgressSchema, getProgressPlace } from "@/lib/mcp/progress";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { callOf, callTool } from "./testing/calling";
import { testInstallation } from "./testing/installation";
import { makeProgramFolder, offerFile, offerPackage } from "./testing/programs";
import { modernServer } from "./testing/modern-server";
import { activeServer, reviewAndActivate, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const modern = await modernServer();
const vault = createVault("ab".repeat(32));
const SDK_1 = path.join(import.meta.dirname, "testing", "sdk-server.ts");
const VERSION = "2026.8.31";

let mcp: McpService;
let workspace: string;

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation, egress: { allowOrigins: [modern.origin] }, vault });
  await addMcpServer(workspace, { id: "modern", name: "modern", transport: { type: "http", url: `${modern.origin}/mcp` } }, mcp.egress);
  await mcp.inspect(workspace, "modern");
  await reviewAndActivate(workspace, "modern", mcp, ["node"]);
  const agents = ["node"];
  await activeServer(workspace, mcp, { id: "sdk_1", manifest: await offerFile(installation, "sdk_1", SDK_1), agents });
}, 60_000);
afterAll(() => mcp.close());

const kept = async (effectId: string) => {
  const row = await getCallProgress(workspace, effectId);

  return row && keptProgressSchema.parse(vault.openCommand(workspace, getProgressPlace(effectId), row.sealed));
};

it("the everything server answers over stdio, including a long call", async () => {
  const spec = { name: "@modelcontextprotocol/server-everything", version: VERSION, bin: "mcp-server-everything" };
  const manifest = await offerPackage(installation, "everything", spec, { args: ["stdio"] });
  await activeServer(workspace, mcp, { id: "everything", manifest, agents: ["node"] });
  expect(await callTool(mcp, workspace, "everything", "echo", { message: "hello" })).toMatchObject({ status: "ok" });
  expect(await callTool(mcp, workspace, "everything", "trigger-long-running-operation", { duration: 1, steps: 2 })).toMatchObject({
    status: "ok",
  });
});

it("the memory server writes only to its configured file", async () => {
  const below = await makeProgramFolder();
  await mkdir(path.join(below, "memory"));
  const spec = { name: "@modelcontextprotocol/server-memory", version: VERSION, bin: "mcp-server-memory" };
  const manifest = await offerPackage(installation, "memory", spec, {
    env: { MEMORY_FILE_PATH: "{store}/graph.jsonl" },
    placeholders: { store: { type: "folder", below } },
    values: { store: "memory" },
  });
  await activeServer(workspace, mcp, { id: "memory", manifest, agents: ["node"] });
  const entities = [{ name: "Ada", entityType: "person", observations: ["wrote the first program"] }];
  expect(await callTool(mcp, workspace, "memory", "create_entities", { entities })).toMatchObject({ status: "ok" });
  await mcp.evict(workspace, "memory");
  const { result } = await callTool(mcp, workspace, "memory", "search_nodes", { query: "Ada" });
  expect(JSON.stringify(result)).toContain("wrote the first program");
});

describe.each(["modern", "sdk_1"])("the server %s", (server) => {
  it("answers in its era's protocol", async () => {
    expect(await callTool(mcp, workspace, server, "echo", { text: "hello" })).toEqual({ status: "ok", result: { text: "hello" } });
    const { protocol } = await serverRow(workspace, server, mcp);
    expect(protocol).toBe(server === "modern" ? "2026-07-28" : "2025-11-25");
  });

  it("reports progress, kept only during the call", async () => {
    const call = await callOf(mcp, workspace, server, "work", { steps: 12, everyMs: 250 });
    const answer = mcp.call(call, AbortSignal.timeout(20_000));
    await expect
      .poll(() => kept(call.effectId), { timeout: 10_000 })
      .toMatchObject({ server, tool: "work", total: 12, message: expect.stringMatching(/^step \d+$/) as string });
    expect(await answer).toEqual({ status: "ok", result: { steps: 12 } });
    await expect.poll(() => kept(call.effectId), { timeout: 10_000 }).toBeNull();
  });

  it("is told about cancelled calls", async () => {
    const before = await cancelledOf(server);
    const stop = new AbortController();
    const call = await callOf(mcp, workspace, server, "work", { steps: 60, everyMs: 250 });
    const answer = mcp.call(call, stop.signal);
    const ended = answer.catch((error: unknown) => error);
    await expect.poll(() => kept(call.effectId), { timeout: 10_000 }).not.toBeNull();
    stop.abort(new Error("caller gone"));
    expect(await ended).toMatchObject({ message: "caller gone" });
    await expect.poll(() => cancelledOf(server), { timeout: 10_000 }).toBe(before + 1);
  });
});

const cancelledOf = async (server: string): Promise<number> => {
  if (server === "modern") return modern.cancelled();
  const { result } = await callTool(mcp, workspace, server, "cancelled", {});

  return Number(Object(result)["cancelled"]);
};

it("a modern server is asked without a session", () => {
  expect(modern.seen.length).toBeGreaterThan(3);
  expect(modern.seen.every(({ session }) => session === null)).toBe(true);
  expect(modern.seen.map(({ method }) => method)).toEqual(expect.arrayContaining(["server/discover", "tools/list", "tools/call"]));
});
