import { randomUUID } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HexDigest } from "@/lib/hash";
import type { RegistryCommandInput } from "@/lib/mcp/registry-command";
import type { Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { pinMcpTools } from "@/server/store/mcp/servers";
import { saveSeen } from "@/server/store/mcp/observed-tools";
import { testDatabase } from "@/server/testing/database";
import { applyRegistryCommand } from "./registry";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { removeProgram } from "./programs/offer";
import { makeProgramFolder, offerFile, offerInPlace } from "./testing/programs";
import { asAdmin, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const manifest = await offerFile(installation, "hostile", RUG_PULL);
let mcp: McpService;
let workspace: string;
let admin: Awaited<ReturnType<typeof member>>;

const member = async (role: Role) => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, 'test')", [id, `${id}@example.com`]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return { type: "user", id, role, auditor: false } as const;
};

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation });
  admin = await member("admin");
});
afterAll(() => mcp.close());

const apply = (command: RegistryCommandInput, by = admin) => applyRegistryCommand(mcp, workspace, by, command);
const fileServer = (id: string): RegistryCommandInput => ({
  type: "add",
  id,
  name: id,
  transport: { type: "stdio", manifest },
});
const row = (id: string) => serverRow(workspace, id, mcp);
const seenOf = async (id: string): Promise<Record<string, HexDigest>> =>
  Object.fromEntries((await row(id)).tools.flatMap(({ name, seenDigest }) => (seenDigest ? [[name, seenDigest]] : [])));
const inspected = async (id: string): Promise<void> => {
  await apply(fileServer(id));
  expect(await apply({ type: "inspect", id, revision: 1 })).toEqual({ ok: true, revision: 1 });
};
const pinned = async (id: string): Promise<void> => {
  await inspected(id);
  expect(await apply({ type: "pin", id, revision: (await row(id)).revision, expect: await seenOf(id) })).toMatchObject({ ok: true });
};

describe("a server's lifecycle", () => {
  it("starts nothing when added, or before an inspection at the shown revision", async () => {
    expect(await apply(fileServer("added"))).toEqual({ ok: true, revision: 1 });
    expect(await row("added")).toMatchObject({ status: "discovered", tools: [], protocol: null, health: { lookedAt: null } });
    const target = { id: "added", revision: 1 };
    for (const type of ["activate", "resume", "suspend"] as const)
      expect(await apply({ type, ...target })).toMatchObject({ code: "conflict" });
    expect(await apply({ type: "pin", ...target, expect: {} })).toMatchObject({ code: "conflict" });
    expect(await apply({ type: "inspect", id: "added", revision: 2 })).toMatchObject({ code: "conflict" });
    expect(await row("added")).toMatchObject({ status: "discovered", health: { lookedAt: null } });
  });

  it("enters quarantine with its tools under the most dangerous labels, and no callers", async () => {
    await inspected("fresh");
    const server = await row("fresh");
    expect(server).toMatchObject({ status: "quarantined", allowedAgents: [], protocol: "2025-06-18" });
    expect(server.tools.map(({ effect, idempotent, pinnedDigest }) => ({ effect, idempotent, pinnedDigest }))).toEqual(
      server.tools.map(() => ({ effect: "irreversible", idempotent: false, pinnedDigest: null })),
    );
  });

  it("goes through review to active, suspended and back", async () => {
    await pinned("life");
    const step = async (type: "activate" | "suspend" | "resume" | "revoke") =>
      apply({ type, id: "life", revision: (await row("life")).revision });
    for (const [type, status] of [
      ["activate", "active"],
      ["suspend", "suspended"],
      ["resume", "active"],
      ["revoke", "revoked"],
    ] as const) {
      expect(await step(type)).toMatchObject({ ok: true });
      expect((await row("life")).status).toBe(status);
    }
    expect(await step("resume")).toMatchObject({ ok: false, code: "conflict" });
  });

  it("cannot be activated without a review", async () => {
    await inspected("unreviewed");
    for (const type of ["activate", "resume"] as const) {
      expect(await apply({ type, id: "unreviewed", revision: 1 })).toMatchObject({ ok: false, code: "conflict" });
    }
    expect((await row("unreviewed")).status).toBe("quarantined");
  });

  it("rejects the second of two changes at one revision", async () => {
    await pinned("race");
    const { revision } = await row("race");
    const both = await Promise.all([
      apply({ type: "set_allowed_agents", id: "race", revision, agents: ["a"] }),
      apply({ type: "set_allowed_agents", id: "race", revision, agents: ["b"] }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ code: "conflict" });
  });
});

describe("a review", () => {
  it("pins only the reviewed manifest", async () => {
    await inspected("looked");
    const seen = await seenOf("looked");
    const { echo: _echo, ...fewer } = seen;
    for (const expected of [{ ...seen, echo: "0".repeat(64) }, fewer, { ...seen, more: "0".repeat(64) }, {}]) {
      expect(await apply({ type: "pin", id: "looked", revision: 1, expect: expected })).toMatchObject({ ok: false, code: "conflict" });
    }
    expect((await row("looked")).status).toBe("quarantined");
  });

  it("is required again before a drifted server returns", async () => {
    await pinned("back");
    await apply({ type: "activate", id: "back", revision: (await row("back")).revision });
    await asAdmin(urls.admin, "update mcp_tool set pinned = null, pinned_digest = null where server_id = 'back' and name = 'echo'");
    expect(await apply({ type: "inspect", id: "back", revision: (await row("back")).revision })).toMatchObject({ ok: true });
    expect((await row("back")).status).toBe("drifted");
    expect(await apply({ type: "resume", id: "back", revision: (await row("back")).revision })).toMatchObject({
      ok: false,
      code: "conflict",
    });
    expect(await apply({ type: "pin", id: "back", revision: (await row("back")).revision, expect: await seenOf("back") })).toMatchObject({
      ok: true,
    });
    expect(await apply({ type: "activate", id: "back", revision: (await row("back")).revision })).toMatchObject({ ok: true });
  });

  it("of labels changes only that tool's labels", async () => {
    await pinned("labels");
    const labels = { effect: "read", idempotent: true, output: "pii", outward: false, clearance: "pii" } as const;
    const { revision } = await row("labels");
    expect(await apply({ type: "set_labels", id: "labels", revision, labels: { echo: labels } })).toMatchObject({
      ok: true,
    });
    const tools = (await row("labels")).tools;
    expect(tools.filter(({ effect }) => effect === "read").map(({ name }) => name)).toEqual(["echo"]);
    expect(tools.find(({ name }) => name === "echo")).toMatchObject(labels);
    expect(tools.filter(({ labelledAt }) => labelledAt !== null).map(({ name }) => name)).toEqual(["echo"]);
    expect(
      await apply({
        type: "set_labels",
        id: "labels",
        revision: revision + 1,
        labels: { echo: { ...labels, effect: "pure" }, none: labels },
      }),
    ).toMatchObject({
      ok: false,
      code: "not_found",
    });
    expect((await row("labels")).revision).toBe(revision + 1);
    expect((await row("labels")).tools.find(({ name }) => name === "echo")).toMatchObject(labels);
  });

  it("keeps a switched-off tool's switch while the server drops it", async () => {
    await inspected("switched");
    const { revision } = await row("switched");
    await asAdmin(urls.admin, "update mcp_tool set blocked_at = now() where server_id = 'switched' and name = 'echo'");
    const { tools, identity } = await row("switched");
    const all = tools.flatMap(({ definition, seenDigest }) => (definition && seenDigest ? [{ definition, digest: seenDigest }] : []));
    const says = (seen: typeof all) => saveSeen(workspace, "switched", { tools: seen, unusable: [], protocol: null, identity });
    await says(all.filter(({ definition }) => definition.name !== "echo"));
    await pinMcpTools(workspace, "switched", revision, new Map(Object.entries(await seenOf("switched"))), ["quarantined"]);
    await says(all.filter(({ definition }) => definition.name !== "echo"));
    await says(all);
    const echo = (await row("switched")).tools.find(({ name }) => name === "echo");
    expect(echo).toMatchObject({ pinnedDigest: null });
    expect(echo?.blockedAt).toBeInstanceOf(Date);
  });

  it("reads unknown labels as the strictest", async () => {
    await pinned("odd");
    await asAdmin(urls.admin, "update mcp_tool set effect = 'x', output = 'x', clearance = 'x' where server_id = 'odd'");
    const [tool] = (await row("odd")).tools;
    expect(tool).toMatchObject({ effect: "irreversible", output: "secret", outward: true, clearance: "public" });
  });
});

describe("a changed file", () => {
  it("stops the server until the operator allows it and an admin reviews it", async () => {
    const file = path.join(await makeProgramFolder(), "changing.mjs");
    await writeFile(file, (await transform(await readFile(RUG_PULL, "utf8"), { loader: "ts" })).code);
    const transport = { type: "stdio" as const, manifest: await offerInPlace(installation, "changing", file) };
    const target = async () => ({ id: "changing", revision: (await row("changing")).revision });
    await apply({ type: "add", id: "changing", name: "changing", transport });
    await apply({ type: "inspect", ...(await target()) });
    await apply({ type: "pin", ...(await target()), expect: await seenOf("changing") });
    await apply({ type: "activate", ...(await target()) });
    await mcp.evict(workspace, "changing");
    await appendFile(file, "\n// changed\n");
    expect(await apply({ type: "inspect", ...(await target()) })).toMatchObject({ ok: false, code: "manifest_invalid" });
    const anew = { type: "stdio" as const, manifest: await offerInPlace(installation, "changing", file) };
    expect(await apply({ type: "set_transport", ...(await target()), transport })).toMatchObject({ code: "manifest_invalid" });
    expect(await apply({ type: "set_transport", ...(await target()), transport: anew })).toMatchObject({ ok: true });
    expect(await row("changing")).toMatchObject({ status: "discovered", lastError: null });
    expect(await apply({ type: "inspect", ...(await target()) })).toMatchObject({ ok: true });
  });

  it("ends its process at the next check when no longer offered", async () => {
    const own = await offerFile(installation, "withdrawn", RUG_PULL);
    await apply({ type: "add", id: "withdrawn", name: "withdrawn", transport: { type: "stdio", manifest: own } });
    const inspect = { type: "inspect", id: "withdrawn", revision: 1 } as const;
    expect(await apply(inspect)).toMatchObject({ ok: true });
    await removeProgram("withdrawn", installation);
    expect(await apply(inspect)).toMatchObject({
      ok: false,
      code: "manifest_invalid",
      message: expect.stringContaining("countersign servers install") as string,
    });
  });
});

describe("a command is refused", () => {
  it.each(["viewer", "builder", "reviewer"] as const)("to a %s, whatever the web process says", async (role) => {
    expect(await apply(fileServer(`by_${role}`), await member(role))).toMatchObject({ ok: false, code: "forbidden" });
    await expect(row(`by_${role}`)).rejects.toMatchObject({ code: "not_found" });
  });

  it("to a member of another workspace", async () => {
    const elsewhere = await testWorkspace(urls.admin);
    expect(await applyRegistryCommand(mcp, elsewhere, null, fileServer("elsewhere"))).toMatchObject({ ok: false, code: "forbidden" });
  });

  it.each([
    ["a command line", { type: "stdio", command: "npx", args: ["-y", "anything"] }],
    ["a file", { type: "stdio", manifest: { source: "file", path: RUG_PULL, args: [] } }],
    ["a package", { type: "stdio", manifest: { source: "package", name: "zod", version: "4.0.0", bin: "x", args: [] } }],
    ["arguments", { type: "stdio", manifest: { ...manifest, args: ["/"] } }],
    ["variables", { type: "stdio", manifest: { ...manifest, env: { NODE_OPTIONS: "--require=x" } } }],
    ["a value that is longer than any argument", { type: "stdio", manifest: { ...manifest, values: { text: "x".repeat(2_000) } } }],
    ["another scheme", { type: "http", url: "file:///etc/passwd" }],
  ])("that carries %s", async (_name, transport) => {
    expect(await applyRegistryCommand(mcp, workspace, admin, { type: "add", id: "bad", name: "bad", transport })).toMatchObject({
      ok: false,
      code: "bad_request",
    });
  });

  it("to add an address that is not public or not https, or a program not offered that way", async () => {
    const add = (transport: object) => applyRegistryCommand(mcp, workspace, admin, { type: "add", id: "bad", name: "bad", transport });
    expect(await add({ type: "http", url: "http://169.254.169.254/mcp" })).toMatchObject({ code: "egress_blocked" });
    expect(await add({ type: "http", url: "http://mcp.example.com/" })).toMatchObject({
      code: "egress_blocked",
      message: "The address must begin with https://. The operator can open other origins with COUNTERSIGN_MCP_ORIGINS.",
    });
    for (const wrong of [{ program: "nothing" }, { digest: "0".repeat(64) }, { values: { text: "x" } }])
      expect(await add({ type: "stdio", manifest: { ...manifest, ...wrong } })).toMatchObject({ code: "manifest_invalid" });
  });
});
