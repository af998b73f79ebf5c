import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "@/lib/json";
import { DEFAULT_CALL_LIMITS, type CallLimits } from "@/lib/mcp/call-limits";
import { computeReachedDigest } from "@/lib/mcp/identity";
import { mcpTransportSchema } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { setMcpLimits } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { callTool } from "./testing/calling";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { offerFile } from "./testing/programs";
import { activeServer, asAdmin, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let mcp: McpService;
let workspace: string;
const manifest = await offerFile(installation, "hostile", RUG_PULL);

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation });
});
afterAll(() => mcp.close());

const hostile = async (id: string, limits: Partial<CallLimits> | null = null): Promise<void> => {
  await activeServer(workspace, mcp, { id, manifest, agents: ["node"] });
  if (limits) await limit(id, null, limits);
};

const limit = async (id: string, tool: string | null, limits: Partial<CallLimits>): Promise<void> => {
  const { revision } = await serverRow(workspace, id, mcp);
  await setMcpLimits(workspace, id, revision, tool, { ...DEFAULT_CALL_LIMITS, ...limits });
};

const misbehave = (id: string, how: string) => callTool(mcp, workspace, id, "misbehave", { how });
const echo = (id: string, text: string) => callTool(mcp, workspace, id, "echo", { text });
const failed = (code: string) => ({ status: "tool_error", result: { error: { code } } });
const SECOND = { timeout_ms: 1_000, total_ms: 1_000 };

describe("the limits of a tool", () => {
  it("end a silent call, and apply from the next call", async () => {
    await hostile("silent", SECOND);
    expect(await misbehave("silent", "slow")).toMatchObject(failed("timeout"));
  });

  it("end a call that keeps reporting progress", async () => {
    await hostile("nearly", { timeout_ms: 1_000, total_ms: 2_000 });
    const from = systemClock.now();
    expect(await misbehave("nearly", "nearly")).toMatchObject(failed("timeout"));
    // Progress arrived every 200 ms: no idle timeout.
    expect(systemClock.now() - from).toBeGreaterThan(1_800);
    expect(systemClock.now() - from).toBeLessThan(6_000);
  });

  it("bound the answer, the tool's own limit before its server's", async () => {
    await hostile("long", { max_result_bytes: 256 });
    expect(await misbehave("long", "environment")).toMatchObject(failed("value_too_large"));
    await limit("long", "misbehave", { max_result_bytes: 65_536 });
    expect(await misbehave("long", "environment")).toMatchObject({ status: "ok" });
  });

  it("bound parallel calls: further ones wait, then find it busy", async () => {
    await hostile("narrow", { timeout_ms: 4_000, total_ms: 4_000, concurrency: 1 });
    const first = misbehave("narrow", "slow");
    await expect.poll(() => heard("narrow", "how"), { timeout: 3_000 }).toBe(1);
    await limit("narrow", null, { ...SECOND, concurrency: 1 });
    expect(await misbehave("narrow", "taint")).toMatchObject(failed("tool_busy"));
    expect(await first).toMatchObject(failed("timeout"));
    expect(await misbehave("narrow", "taint")).toMatchObject({ status: "ok" });
  });

  it("cool down only the failing tool after consecutive faults", async () => {
    await hostile("broken", { ...SECOND, breaker: { faults: 2, cool_down_ms: 2_000 } });
    expect(await misbehave("broken", "deep")).toMatchObject(failed("value_too_deep"));
    expect(await misbehave("broken", "deep")).toMatchObject(failed("value_too_deep"));
    expect(await misbehave("broken", "deep")).toMatchObject(failed("tool_cooling"));
    expect(await echo("broken", "x")).toMatchObject({ status: "ok" });
    await expect.poll(async () => codeIn((await misbehave("broken", "taint")).result), { timeout: 6_000, interval: 200 }).toBeNull();
  });

  it("block all calls when the database has malformed ones", async () => {
    await hostile("odd");
    await asAdmin(urls.admin, `update mcp_tool set limits = '{"timeout_ms": 1e9}' where server_id = 'odd' and name = 'echo'`);
    expect(await echo("odd", "x")).toEqual({ status: "unavailable", result: null });
    expect(await misbehave("odd", "taint")).toMatchObject({ status: "ok" });
    await asAdmin(urls.admin, `update mcp_server set limits = '{"concurrency": 1000000}' where id = 'odd'`);
    expect(await misbehave("odd", "taint")).toEqual({ status: "unavailable", result: null });
  });
});

const heard = async (id: string, what: "how" | "cancelled"): Promise<number> => {
  const { result } = await callTool(mcp, workspace, id, "heard", {});

  return Number(Object(Object(result)[what])["length"]);
};

const codeIn = (result: Json): string | null => {
  const error: unknown = Object(result)["error"];

  return error === undefined ? null : String(Object(error)["code"]);
};

describe("a caller that waited", () => {
  it("does not reach a server suspended meanwhile", async () => {
    await hostile("stopped", { timeout_ms: 4_000, total_ms: 8_000, concurrency: 1 });
    const first = misbehave("stopped", "slow");
    const second = misbehave("stopped", "slow");
    await expect.poll(() => heard("stopped", "how"), { timeout: 2_000 }).toBe(1);
    await asAdmin(urls.admin, "update mcp_server set status = 'suspended' where id = 'stopped'");
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["tool_error", "unavailable"]);
  });
});

describe("a server", () => {
  it("is told about cancelled calls", async () => {
    await hostile("told");
    const stop = new AbortController();
    const answer = callTool(mcp, workspace, "told", "misbehave", { how: "nearly" }, stop.signal);
    const ended = answer.catch((error: unknown) => error);
    await expect.poll(() => heard("told", "how"), { timeout: 5_000 }).toBe(1);
    expect(await heard("told", "cancelled")).toBe(0);
    stop.abort(new Error("caller gone"));
    expect(await ended).toMatchObject({ message: "caller gone" });
    await expect.poll(() => heard("told", "cancelled"), { timeout: 5_000 }).toBe(1);
  });

  it.each([
    ["storm", { status: "ok", result: { content: [{ text: "after the storm" }] } }],
    ["hurricane", failed("connection_lost")],
  ])("that sends a %s of notifications and requests delays no one else and can be called again", async (how, outcome) => {
    await hostile(how);
    await hostile(`calm_${how}`, { timeout_ms: 5_000, total_ms: 5_000 });
    const stormy = misbehave(how, how);
    expect(await echo(`calm_${how}`, "meanwhile")).toMatchObject({ status: "ok" });
    expect(await stormy).toMatchObject(outcome);
    expect(await echo(how, "afterwards")).toMatchObject({ status: "ok" });
  });

  it("with a tool named save_to_memory is called like any other, and its answer is only an answer", async () => {
    await hostile("saver");
    expect(await callTool(mcp, workspace, "saver", "save_to_memory", { memory: { total: 0 } })).toEqual({
      status: "ok",
      result: { result: "x", taint: null, written: ["memory"] },
    });
  });
});

describe("health", () => {
  const health = async (id: string) => (await serverRow(workspace, id, mcp)).health;

  it("counts calls and faults, with the last fault's reason and time", async () => {
    await hostile("healthy");
    expect(await health("healthy")).toMatchObject({ calls: 0, faults: 0, okAt: null, failedAt: null });
    await echo("healthy", "x");
    await misbehave("healthy", "deep");
    await expect
      .poll(() => health("healthy"), { timeout: 10_000 })
      .toMatchObject({ calls: 2, faults: 1, lastFault: "value_too_deep", okAt: expect.any(String) as string });
    const { okAt, failedAt, lastMs, lookedAt } = await health("healthy");
    expect(Date.parse(failedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(okAt ?? ""));
    expect(Date.parse(lookedAt ?? "")).toBeLessThanOrEqual(Date.parse(okAt ?? ""));
    expect(lastMs).toBeGreaterThanOrEqual(0);
  });

  it("counts an unreachable server, but not our own refusals", async () => {
    await hostile("gone");
    await callTool(mcp, workspace, "gone", "echo", { text: 1 });
    await mcp.evict(workspace, "gone");
    const { transport, access } = await serverRow(workspace, "gone", mcp);
    if (transport?.type !== "stdio") throw new Error("the server is no file");
    const another = mcpTransportSchema.parse({ ...transport, manifest: { ...transport.manifest, digest: "0".repeat(64) } });
    // Only the program differs.
    await asAdmin(
      urls.admin,
      "update mcp_server set transport = $1::jsonb, pinned_identity = jsonb_set(pinned_identity, '{reached}', to_jsonb($2::text)) where id = 'gone'",
      [JSON.stringify(another), computeReachedDigest(another, access)],
    );
    expect(await echo("gone", "x")).toEqual({ status: "unavailable", result: null });
    await expect
      .poll(() => health("gone"), { timeout: 10_000 })
      .toMatchObject({ calls: 1, faults: 1, lastFault: "unreachable", okAt: null });
  });
});
