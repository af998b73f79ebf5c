import { execFile } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { LAYERS } from "@/lib/mcp/isolation";
import { landlockAbi } from "./launcher/native.mjs";
import { probeIsolation } from "./probe.ts";
import { SERVER_USERS } from "./users.ts";

const root = path.resolve(import.meta.dirname, "../..");
const attempts = path.join(root, "server/sandbox/launcher/attempts.mjs");

it("every attempt succeeds outside a sandbox, so failures prove the sandbox", () =>
  inTemporaryFolder(async (folder) => {
    const [server, local] = [net.createServer(), net.createServer()];
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => local.listen(path.join(folder, "s"), resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const key = path.join(folder, "key");
    fs.writeFileSync(key, "secret", { mode: 0o600 });
    const network = fs.readlinkSync("/proc/self/ns/net");
    const targets = { key, pid: process.pid, port, socket: path.join(folder, "s"), network, uid: SERVER_USERS.first };
    const { stdout } = await promisify(execFile)(process.execPath, [attempts, JSON.stringify(targets)]);
    server.close();
    local.close();
    const results = JSON.parse(stdout) as Record<string, string>;
    // Yama forbids tracing a parent even without a sandbox.
    const { ptrace, ...others } = results;
    expect(new Set(Object.values(others))).toEqual(new Set(["done"]));
    expect(["done", "EPERM"]).toContain(ptrace);
  }));

it.each([
  ["has no launcher", (folder: string) => folder],
  ["is not there", (folder: string) => path.join(folder, "nothing")],
])("no layer holds for an application that %s, with the reason", (_what, rootIn) =>
  inTemporaryFolder(async (folder) => {
    const { holds, reason } = await probeIsolation(rootIn(folder), path.join(folder, "scratch"));
    expect(holds).toEqual([]);
    expect(reason).toMatch(process.platform === "linux" ? /^The launcher does not start: / : /^Isolation needs Linux/);
  }),
);

it(
  "reports layers: all with Landlock TCP support, and the reason for none elsewhere",
  () =>
    inTemporaryFolder(async (folder) => {
      const { holds, reason } = await probeIsolation(root, folder);
      const version = process.platform === "linux" ? landlockAbi() : 0;
      const held = new Set(holds);
      // seccomp provides the rest, in every kernel that Node 22 supports.
      expect([held.has("files"), held.has("ports")]).toEqual([version >= 1, version >= 4]);
      expect(LAYERS.filter((layer) => !held.has(layer) && version >= 4)).toEqual([]);
      expect(reason === null).toBe(holds.length > 0);
      expect(fs.readdirSync(folder)).toEqual([]);
    }),
  30_000,
);
