import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { hexDigestSchema } from "@/lib/hash";
import { LAYERS, type Isolation, type SandboxLevel } from "@/lib/mcp/isolation";
import { listHosts, type Program, type StdioManifest } from "@/lib/mcp/program";
import { NO_NETWORK } from "@/server/sandbox/policy";
import { PUBLIC_ONLY } from "@/server/security/egress-url";
import { createSandboxFor } from "./sandbox";

const ALL: Isolation = { holds: [...LAYERS], reason: null };
const SOME: Isolation = { holds: ["network"], reason: null };
const NONE: Isolation = { holds: [], reason: "Isolation needs Linux." };

const DIGEST = hexDigestSchema.parse("0".repeat(64));
const FILE = { program: "tool", digest: DIGEST, values: {} } satisfies StdioManifest;
const BUNDLED = { program: "customers", digest: DIGEST, values: {} } satisfies StdioManifest;
const TOOL: Program = {
  id: "tool",
  name: "Tool",
  runs: { kind: "file", path: "/srv/tool.js" },
  files: DIGEST,
  args: [],
  env: {},
  placeholders: {},
};

const started = (
  manifest: StdioManifest,
  isolation: Isolation,
  sandboxLevel: SandboxLevel,
  env: Readonly<Record<string, string>> = {},
  offered: Partial<Program> = {},
) =>
  inTemporaryFolder(async (folder) => {
    const home = fs.realpathSync(folder);
    const program = { ...TOOL, id: manifest.program, ...offered };
    const launch = {
      program,
      entry: "/srv/tool.js",
      command: process.execPath,
      args: ["/srv/tool.js"],
      env: {},
      writable: [],
      hosts: listHosts(program, manifest.values),
    };

    return createSandboxFor(
      { manifest, launch, env, scratch: path.join(home, "scratch") },
      { installation: { home, root: home }, isolation: async () => isolation, sandboxLevel, egress: PUBLIC_ONLY },
    );
  });

it("without isolation, a server starts only after an admin allows it", async () => {
  await expect(started(FILE, NONE, "available")).rejects.toMatchObject({ code: "sandbox_missing" });
  expect(await started({ ...FILE, unisolated: true }, NONE, "available")).toBeNull();
});

it("an admin's permission does not remove an available sandbox", async () => {
  expect(await started({ ...FILE, unisolated: true }, SOME, "available")).not.toBeNull();
});

it("without isolation, a bundled server starts: it is part of this application", async () => {
  expect(await started(BUNDLED, NONE, "available")).toBeNull();
});

it("strict mode starts nothing with a missing layer, whatever was allowed, and names it", async () => {
  for (const manifest of [FILE, BUNDLED, { ...FILE, unisolated: true as const }]) {
    await expect(started(manifest, SOME, "strict")).rejects.toMatchObject({
      code: "sandbox_missing",
      message: expect.stringContaining("Missing: files, ports, memory, signals, processes, privileges.") as string,
    });
    expect(await started(manifest, ALL, "strict")).not.toBeNull();
  }
});

it("a server with named hosts reaches them through a proxy, filled-in ones included", async () => {
  const offered: Partial<Program> = { hosts: ["api.example.org"], args: ["{host}"], placeholders: { host: { type: "host" } } };
  const sandbox = await started({ ...FILE, values: { host: "other.example.org:8443" } }, ALL, "available", {}, offered);
  expect(sandbox).toMatchObject({
    policy: { network: NO_NETWORK },
    egress: { hosts: ["api.example.org", "other.example.org:8443"], policy: PUBLIC_ONLY },
  });
});

it("without port restrictions, a server with named hosts starts only after an admin allows it", async () => {
  const offered: Partial<Program> = { hosts: ["api.example.org"] };
  await expect(started(FILE, SOME, "available", {}, offered)).rejects.toMatchObject({ code: "sandbox_missing" });
  expect(await started({ ...FILE, unisolated: true }, SOME, "available", {}, offered)).not.toBeNull();
});

it("a server has no network, any address if the operator allows it, or, for customers, its database's port", async () => {
  const networkOf = async (manifest: StdioManifest, env = {}, offered: Partial<Program> = {}) =>
    (await started(manifest, ALL, "available", env, offered))?.policy.network;
  expect(await networkOf(FILE)).toEqual(NO_NETWORK);
  expect(await networkOf(FILE, {}, { network: "direct" })).toEqual({ connect: "any", listen: [], datagrams: true, localSockets: false });
  expect(await networkOf(BUNDLED, { DATABASE_URL: "postgresql://u:p@127.0.0.1:6543/d" })).toEqual({ ...NO_NETWORK, connect: [6543] });
  expect(await networkOf(BUNDLED, { DATABASE_URL: "postgresql://u:p@database/d" })).toEqual({
    ...NO_NETWORK,
    connect: [5432],
    datagrams: true,
  });
});
