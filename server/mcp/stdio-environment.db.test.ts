import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { sealSecret } from "@/server/security/secrets";
import { createVault } from "@/server/security/vault";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "./service";
import { createLocalMcp } from "./testing/local-mcp";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { offerFile } from "./testing/programs";
import { activeServer, asAdmin, serverRow, testWorkspace } from "./testing/registered";

const KEY = "maps-key-0123456789";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const vault = createVault("5".repeat(64));
let mcp: McpService;
let workspace: string;

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation, vault });
  await asAdmin(urls.admin, "insert into secret (workspace_id, name, sealed, created_by) values ($1, 'maps-key', $2, $3)", [
    workspace,
    Buffer.from(sealSecret(vault, workspace, "maps-key", KEY)),
    randomUUID(),
  ]);
});
afterAll(() => mcp.close());

const register = async (id: string, given: Parameters<typeof offerFile>[3]) =>
  activeServer(workspace, mcp, { id, manifest: await offerFile(installation, id, RUG_PULL, given), agents: ["node"] });

const KEYED = {
  env: { MAPS_KEY: "{key}", LOG_LEVEL: "info", REGION: "{region}" },
  placeholders: { key: { type: "secret" }, region: { type: "choice", options: ["eu", "us"] } },
  values: { key: { secret: "maps-key" }, region: "eu" },
} satisfies Parameters<typeof offerFile>[3];

const environmentOf = async (server: string): Promise<string> => {
  const row = await serverRow(workspace, server, mcp);
  const definitionDigest = row.tools.find(({ name }) => name === "misbehave")?.pinnedDigest ?? "";
  const call = { workspace, server, tool: "misbehave", arguments: { how: "environment" }, caller: "node", definitionDigest };

  return JSON.stringify(
    await mcp.call({ ...call, effectId: randomUUID(), idempotencyKey: randomUUID(), receipt: null }, AbortSignal.timeout(15_000)),
  );
};

it("a server has its entry's variables and a home, and no other server's", async () => {
  await register("maps", KEYED);
  await register("plain", {});
  const said = await environmentOf("maps");
  expect(said).toContain(String.raw`\"MAPS_KEY\":\"[redacted]\"`);
  expect(said).toContain(String.raw`\"LOG_LEVEL\":\"info\"`);
  expect(said).toContain(String.raw`\"REGION\":\"eu\"`);
  expect(said).not.toContain(KEY);
  expect(await environmentOf("plain")).not.toMatch(/MAPS_KEY|LOG_LEVEL|REGION|redacted|maps-key/);
});

it("a server with a missing secret is not started", async () => {
  await register("later", KEYED);
  await asAdmin(urls.admin, "delete from secret where workspace_id = $1", [workspace]);
  expect(JSON.parse(await environmentOf("later"))).toMatchObject({ status: "unavailable" });
  expect((await serverRow(workspace, "later", mcp)).lastError).toBe("The secret maps-key is missing or does not open.");
});

it.each([
  ["NODE_OPTIONS", { value: "--require=/tmp/evil.cjs" }],
  ["PATH", { value: "/tmp" }],
  ["LD_PRELOAD", { value: "/tmp/evil.so" }],
])("a server with the variable %s in its database row is not started", async (name, value) => {
  const id = `raw${name.replaceAll("_", "")}`;
  await register(id, {});
  await asAdmin(urls.admin, "update mcp_server set transport = jsonb_set(transport, '{manifest,env}', $1::jsonb) where id = $2", [
    JSON.stringify({ [name]: value }),
    id,
  ]);
  expect((await serverRow(workspace, id, mcp)).transport).toBeNull();
  expect(JSON.parse(await environmentOf(id))).toMatchObject({ status: "unavailable" });
});
