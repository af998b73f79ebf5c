import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownMember, type Json } from "@/lib/json";
import { isIsolated, type Isolation } from "@/lib/mcp/isolation";
import { systemClock } from "@/server/clock";
import { probeIsolation } from "@/server/sandbox/probe";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { bundledManifest, offerFile } from "./testing/programs";
import { activeServer, serverRow, testWorkspace } from "./testing/registered";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const isolation = await probeIsolation(installation.root, installation.home);
const sandboxed = createLocalMcp({ clock: systemClock, installation, isolation: async () => isolation, sandboxLevel: "available" });
/** The state folder has no launcher. */
const broken = (): Promise<Isolation> => probeIsolation(installation.home, installation.home);
const bare = createLocalMcp({ clock: systemClock, installation, isolation: broken, sandboxLevel: "available" });
let workspace: string;

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
});
afterAll(async () => {
  await Promise.all([sandboxed.close(), bare.close()]);
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const startHelper = async (mcp: McpService, server: string): Promise<Json> => {
  const manifest = { ...(await offerFile(installation, server, RUG_PULL)), unisolated: true as const };
  await activeServer(workspace, mcp, { id: server, manifest, agents: ["node"] });
  const row = await serverRow(workspace, server, mcp);
  const definitionDigest = row.tools.find(({ name }) => name === "misbehave")?.pinnedDigest ?? "";
  const target = { workspace, server, tool: "misbehave", arguments: { how: "helper" }, caller: "node", definitionDigest };
  const { status, result } = await mcp.call(
    { ...target, effectId: randomUUID(), idempotencyKey: randomUUID(), receipt: null },
    AbortSignal.timeout(15_000),
  );
  expect(status).toBe("ok");

  return ownMember(result ?? undefined, "pid") ?? null;
};

it.runIf(isIsolated(isolation))("a server starts no helper in its sandbox", async () => {
  expect(await startHelper(sandboxed, "sandboxed")).toBeNull();
});

it("where the probe fails, a server starts only after an admin allows it; bundled ones always", async () => {
  expect((await broken()).reason).toMatch(/^The launcher does not start|^Isolation needs Linux/);
  const manifest = await offerFile(installation, "refused", RUG_PULL);
  await expect(activeServer(workspace, bare, { id: "refused", manifest, agents: ["node"] })).rejects.toMatchObject({
    code: "sandbox_missing",
  });
  await activeServer(workspace, bare, { id: "filesystem", manifest: await bundledManifest("filesystem", installation), agents: ["node"] });
});

it("without a sandbox, a server's helpers end with it", async () => {
  const pid = Number(await startHelper(bare, "bare"));
  expect(isAlive(pid)).toBe(true);
  await bare.evict(workspace, "bare");
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
});
