import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/json";
import { systemClock } from "@/server/clock";
import { testDatabase } from "@/server/testing/database";
import { getMcpServer, listPinnedTools, setMcpAllowedAgents } from "@/server/store/mcp/servers";
import type { McpAnswer } from "./contract";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { callOf } from "./testing/calling";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { offerFile } from "./testing/programs";
import { activeServer, asAdmin, reviewAndActivate, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let mcp: McpService;
let workspace: string;
const manifest = await offerFile(installation, "hostile", RUG_PULL);

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation, callTimeoutMs: 4_000 });
});
afterAll(() => mcp.close());

const rugPull = (id: string, agents: readonly string[] = ["node"]) => activeServer(workspace, mcp, { id, manifest, agents });

const call = async (server: string, tool: string, args: JsonObject, caller = "node"): Promise<McpAnswer> =>
  mcp.call(await callOf(mcp, workspace, server, tool, args, { caller }), AbortSignal.timeout(15_000));

describe("a call", () => {
  it("sends the idempotency key and returns structured content unchanged", async () => {
    await rugPull("plain");
    const answer = await call("plain", "echo", { text: "hello" });
    expect(answer).toMatchObject({ status: "ok", result: { text: "hello" } });
    expect(JSON.stringify(answer.result)).toContain("countersign/idempotency-key");
  });

  it("is not allowed to anybody when the list of agents is empty, nor to agents outside of it", async () => {
    const row = await rugPull("restricted", []);
    expect(await call("restricted", "echo", { text: "x" })).toEqual({ status: "not_allowed", result: null });
    await setMcpAllowedAgents(workspace, "restricted", row.revision, ["planner"]);
    expect(await call("restricted", "echo", { text: "x" }, "parser")).toEqual({ status: "not_allowed", result: null });
    expect(await call("restricted", "echo", { text: "x" }, "planner")).toMatchObject({ status: "ok" });
  });

  it("is refused before the server is asked when arguments don't match the pinned schema", async () => {
    await rugPull("strict");
    expect(await call("strict", "echo", { text: 1 })).toMatchObject({
      status: "tool_error",
      result: { error: { code: "arguments_invalid" } },
    });
    expect(await call("strict", "echo", { text: "x", more: 1 })).toMatchObject({ result: { error: { code: "arguments_invalid" } } });
  });

  it("is unavailable unless the server is active, read again for each call", async () => {
    await rugPull("stopped");
    expect(await call("stopped", "echo", { text: "x" })).toMatchObject({ status: "ok" });
    for (const status of ["quarantined", "reviewed", "suspended", "revoked", "nonsense"]) {
      await asAdmin(urls.admin, "update mcp_server set status = $1 where id = 'stopped'", [status]);
      expect(await call("stopped", "echo", { text: "x" })).toEqual({ status: "unavailable", result: null });
    }
    const unknown = { workspace, server: "unknown", tool: "echo", caller: "node", definitionDigest: "0".repeat(64) };
    expect(await mcp.check(unknown)).toBe("unavailable");
    expect(await mcp.check({ ...unknown, workspace: randomUUID(), server: "plain" })).toBe("unavailable");
  });

  it("is drifted when the version pinned another definition than the registry", async () => {
    await rugPull("other");
    const target = { workspace, server: "other", tool: "echo", caller: "node", definitionDigest: "a".repeat(64) };
    expect(await mcp.check(target)).toBe("drifted");
    expect(
      await mcp.call(
        { ...target, arguments: { text: "x" }, effectId: "e", idempotencyKey: "k", receipt: null },
        AbortSignal.timeout(5_000),
      ),
    ).toEqual({
      status: "drifted",
      result: null,
    });
  });

  it("throws the signal's reason and nothing else", async () => {
    await rugPull("aborted");
    const row = await serverRow(workspace, "aborted", mcp);
    const pinned = row.tools.find(({ name }) => name === "misbehave")?.pinnedDigest ?? "";
    const target = {
      workspace,
      server: "aborted",
      tool: "misbehave",
      caller: "node",
      definitionDigest: pinned,
      effectId: "e",
      idempotencyKey: "k",
      receipt: null,
    };
    const stop = new AbortController();
    const pending = mcp.call({ ...target, arguments: { how: "slow" } }, stop.signal);
    stop.abort(new Error("cancelled"));
    await expect(pending).rejects.toThrow("cancelled");
  });
});

describe("drift", () => {
  it.each(["description", "invisible", "schema", "annotations", "added", "removed", "renamed"])(
    "of kind %s suspends the server, and the call is drifted",
    async (shape) => {
      const id = `drift_${shape}`;
      await rugPull(id);
      expect(await call(id, "become", { shape, announce: true })).toMatchObject({ status: "ok" });
      expect(await call(id, "echo", { text: "x" })).toEqual({ status: "drifted", result: null });
      const row = await serverRow(workspace, id, mcp);
      expect(row.status).toBe("drifted");
      expect(row.tools.some((tool) => tool.seenDigest !== tool.pinnedDigest)).toBe(true);
      expect(await call(id, "echo", { text: "x" })).toEqual({ status: "unavailable", result: null });
      expect((await listPinnedTools(workspace)).some(({ server }) => server === id)).toBe(false);
    },
  );

  it.each(["description", "schema", "added", "removed", "renamed"])(
    "of kind %s without an announcement is found before a call without a receipt",
    async (shape) => {
      const id = `unannounced_${shape}`;
      await rugPull(id);
      await call(id, "become", { shape, announce: false });
      expect(await call(id, "echo", { text: "x" })).toEqual({ status: "drifted", result: null });
      expect((await serverRow(workspace, id, mcp)).status).toBe("drifted");
    },
  );

  it("without an announcement affects none of the parallel calls that follow", async () => {
    await rugPull("side_by_side");
    await call("side_by_side", "become", { shape: "description", announce: false });
    const answers = await Promise.all(Array.from({ length: 8 }, () => call("side_by_side", "echo", { text: "x" })));
    expect(answers.filter(({ status }) => status !== "drifted" && status !== "unavailable")).toEqual([]);
  });

  it("without an announcement is found before an approved effect", async () => {
    await rugPull("silent");
    const row = await serverRow(workspace, "silent", mcp);
    const definitionDigest = row.tools.find(({ name }) => name === "echo")?.pinnedDigest ?? "";
    await call("silent", "become", { shape: "description", announce: false });
    const payload = {
      v: 1 as const,
      workspace,
      run: randomUUID(),
      approval_id: randomUUID(),
      transition_digest: "0".repeat(64),
      graph_hash: "0".repeat(64),
      policy_hash: "0".repeat(64),
      effect: null,
      reviewers: [{ user: randomUUID(), view_digest: "0".repeat(64), at: 1 }],
      nonce: randomUUID(),
      issued_at: 1,
      expires_at: 2,
    };
    const receipt = { payload, kid: "k", signature: "s" };
    const answer = await mcp.call(
      {
        workspace,
        server: "silent",
        tool: "echo",
        arguments: { text: "x" },
        caller: "node",
        definitionDigest,
        effectId: "e",
        idempotencyKey: "k",
        receipt,
      },
      AbortSignal.timeout(10_000),
    );
    expect(answer.status).toBe("drifted");
  });

  it("ends with a new review of the current tools", async () => {
    await rugPull("again");
    await call("again", "become", { shape: "description", announce: true });
    await call("again", "echo", { text: "x" });
    expect((await serverRow(workspace, "again", mcp)).status).toBe("drifted");
    await mcp.inspect(workspace, "again");
    await reviewAndActivate(workspace, "again", mcp, ["node"]);
    expect(await call("again", "echo", { text: "x" })).toMatchObject({ status: "ok" });
  });
});

describe("a misbehaving server", () => {
  it.each([
    ["oversized", "value_too_large"],
    ["deep", "value_too_deep"],
    ["nul", "nul_character"],
    ["proto", "not_plain_json"],
    ["slow", "timeout"],
    ["crash", "connection_lost"],
    ["flood", "connection_lost"],
  ])("%s gives a tool error with a fixed message", async (how, code) => {
    const id = `bad_${how}`;
    await rugPull(id);
    expect(await call(id, "misbehave", { how })).toMatchObject({ status: "tool_error", result: { error: { code } } });
    expect(await call(id, "echo", { text: "after" })).toMatchObject({ status: "ok" });
  });

  it("with a malformed result gives a tool error and is asked again later", async () => {
    await rugPull("bad_malformed");
    expect(await call("bad_malformed", "misbehave", { how: "malformed" })).toMatchObject({ status: "tool_error" });
    expect(await call("bad_malformed", "echo", { text: "after" })).toMatchObject({ status: "ok" });
  });

  it("cannot take its taint away: what it says about trust is only data", async () => {
    await rugPull("bad_taint");
    expect(await call("bad_taint", "misbehave", { how: "taint" })).toEqual({ status: "ok", result: { result: "x", taint: null } });
  });
});

describe("a stdio server", () => {
  it("sees a scratch home and nothing of our environment", async () => {
    await rugPull("environment");
    const answer = await call("environment", "misbehave", { how: "environment" });
    const text = JSON.stringify(answer.result);
    expect(text).toContain("scratch/mcp-");
    for (const name of ["PATH", "NODE_OPTIONS", "DATABASE_URL", "USER", "SHELL", "COUNTERSIGN_HOME"]) {
      expect(text).not.toContain(`\\"${name}\\"`);
    }
  });
});

describe("a transport written directly into the database", () => {
  const bad = [
    { type: "stdio", command: "node", args: ["-e", "0"] },
    { type: "stdio", manifest: { source: "file", path: "/bin/sh", args: ["-c", "true"] } },
    {
      type: "stdio",
      manifest: { source: "package", name: "left-pad", version: "latest", tree_digest: "0".repeat(64), bin: "x", args: [] },
    },
    { type: "http", url: "http://169.254.169.254/latest/meta-data/" },
    { type: "http", url: "http://127.0.0.1:1/mcp" },
    { type: "http", url: "http://mcp.example.com/" },
    { type: "http", url: "file:///etc/passwd" },
    { type: "http", url: "https://example.com/", headers: {} },
    null,
  ];

  it.each(bad.map((transport) => [JSON.stringify(transport)]))(
    "is refused before anything is started or reached: %s",
    async (transport) => {
      const id = `raw_${bad.findIndex((item) => JSON.stringify(item) === transport)}`;
      await rugPull(id);
      await asAdmin(urls.admin, "update mcp_server set transport = $1::jsonb where id = $2", [transport, id]);
      expect((await getMcpServer(workspace, id))?.transport).toBeNull();
      expect(await call(id, "echo", { text: "x" })).toEqual({ status: "unavailable", result: null });
      await expect(mcp.inspect(workspace, id)).rejects.toMatchObject({ code: "manifest_invalid" });
    },
  );

  it("in a reviewed one's form is drift before anything starts, also on inspection", async () => {
    const row = await rugPull("digest");
    await mcp.evict(workspace, "digest");
    const transport =
      row.transport?.type === "stdio" ? { ...row.transport, manifest: { ...row.transport.manifest, digest: "0".repeat(64) } } : null;
    await asAdmin(urls.admin, "update mcp_server set transport = $1::jsonb where id = 'digest'", [JSON.stringify(transport)]);
    expect(await call("digest", "echo", { text: "x" })).toEqual({ status: "drifted", result: null });
    expect(await serverRow(workspace, "digest", mcp)).toMatchObject({
      status: "drifted",
      lastError: "The server is reached in another way than the reviewed one.",
    });
    await expect(mcp.inspect(workspace, "digest")).rejects.toMatchObject({ code: "manifest_invalid" });
    expect((await serverRow(workspace, "digest", mcp)).lastError).toBe(
      "The program is not the one that was confirmed: it was updated, or the operator changed it.",
    );
  });

  it("cannot bring its own pin: a definition that doesn't match its digest is unpinned", async () => {
    await rugPull("pin");
    await asAdmin(urls.admin, `update mcp_tool set pinned = jsonb_set(pinned, '{description}', '"other"') where server_id = 'pin'`);
    expect((await serverRow(workspace, "pin", mcp)).tools.every(({ pinnedDigest }) => pinnedDigest === null)).toBe(true);
    expect(await call("pin", "echo", { text: "x" })).toEqual({ status: "drifted", result: null });
  });
});
