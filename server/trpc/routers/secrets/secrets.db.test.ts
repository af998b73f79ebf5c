import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openSecret } from "@/server/security/secrets";
import { createVault } from "@/server/security/vault";
import { callerAs, staleSession } from "@/server/testing/caller";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const { home } = await testInstallation();
const vaultKey = randomBytes(32).toString("hex");
fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
fs.writeFileSync(path.join(home, "keys", "vault.key"), vaultKey, { mode: 0o600 });
vi.stubEnv("COUNTERSIGN_HOME", home);

const VALUE = "canary-0123456789-value";
const open = async () => {
  const workspace = await testWorkspace(urls.admin);

  return { workspace, admin: callerAs(workspace, "admin").secrets };
};
const sealedOf = async (workspace: string, name: string): Promise<Buffer> =>
  (await queryOn<{ sealed: Buffer }>(urls.admin, "select sealed from secret where workspace_id = $1 and name = $2", [workspace, name]))[0]
    ?.sealed ?? Buffer.alloc(0);

test("a stored value appears in no answer or row, and opens only under its name and workspace", async () => {
  const { workspace, admin } = await open();
  expect(await admin.put({ name: "maps-key", value: VALUE })).toEqual({ name: "maps-key", version: 1 });
  const answers = JSON.stringify(await admin.list());
  const rows = JSON.stringify(await queryOn(urls.admin, "select s::text from secret s"));
  const hex = Buffer.from(VALUE).toString("hex");
  for (const text of [answers, rows]) expect([text.includes(VALUE), text.includes(hex)]).toEqual([false, false]);
  const sealed = await sealedOf(workspace, "maps-key");
  const vault = createVault(vaultKey);
  const elsewhere = await testWorkspace(urls.admin);
  expect([
    openSecret(vault, workspace, "maps-key", sealed),
    openSecret(vault, workspace, "other", sealed),
    openSecret(vault, elsewhere, "maps-key", sealed),
  ]).toEqual([VALUE, null, null]);
});

test("the web process cannot read values, not even sealed", async () => {
  await expect(queryOn(urls.web, "select sealed from secret")).rejects.toThrow("permission denied");
  await expect(queryOn(urls.web, "select * from secret")).rejects.toThrow("permission denied");
  await expect(queryOn(urls.web, "update secret set used_at = now()")).rejects.toThrow("permission denied");
});

test("the web process neither lists, stores, replaces nor removes keys of model providers", async () => {
  const { workspace, admin } = await open();
  const insert = "insert into secret (workspace_id, name, sealed, created_by) values ($1, 'model:ours', 'x', $1)";
  const inScope = (sql: string) =>
    queryOn(urls.web, `with scoped as (select set_config('countersign.workspace', '${workspace}', true)) ${sql}`, [workspace]);
  await expect(inScope(insert)).rejects.toThrow("row-level security");
  await queryOn(urls.admin, insert, [workspace]);
  await expect(admin.put({ name: "model:ours", value: VALUE })).rejects.toThrow();
  await expect(admin.remove({ name: "model:ours" })).rejects.toThrow();
  expect(await inScope("update secret set sealed = 'y' where workspace_id = $1 returning name")).toEqual([]);
  expect(await inScope("delete from secret where workspace_id = $1 returning name")).toEqual([]);
  expect([(await sealedOf(workspace, "model:ours")).toString(), await admin.list()]).toEqual(["x", []]);
});

test("replacing a value makes a new version and destroys the old", async () => {
  const { workspace, admin } = await open();
  await admin.put({ name: "key", value: VALUE });
  expect(await admin.put({ name: "key", value: "another-value" })).toEqual({ name: "key", version: 2 });
  expect(openSecret(createVault(vaultKey), workspace, "key", await sealedOf(workspace, "key"))).toBe("another-value");
  const [listed] = await admin.list();
  expect(listed?.rotatedAt).toBeGreaterThanOrEqual(listed?.createdAt ?? Infinity);
});

test("a value of an environment opens only there", async () => {
  const { workspace, admin } = await open();
  const key = { name: "placed", environment: "production" };
  await admin.put({ ...key, value: VALUE });
  const vault = createVault(vaultKey);
  const sealed = await sealedOf(workspace, "placed");
  expect(["production", "staging", null].map((environment) => openSecret(vault, workspace, "placed", sealed, environment))).toEqual([
    VALUE,
    null,
    null,
  ]);
  await expect(admin.put({ ...key, environment: "elsewhere", value: VALUE })).rejects.toThrow("Not found");
  await expect(admin.remove({ name: "placed" })).rejects.toThrow("Not found");
  await admin.put({ name: "placed", value: VALUE });
  expect((await admin.list()).map(({ environment }) => environment)).toEqual([null, "production"]);
  expect(await admin.remove(key)).toEqual({ removed: true });
});

test("another workspace neither lists nor removes it", async () => {
  const { workspace, admin } = await open();
  await admin.put({ name: "mine", value: VALUE });
  const { admin: stranger } = await open();
  expect(await stranger.list()).toEqual([]);
  await expect(stranger.remove({ name: "mine" })).rejects.toThrow("Not found");
  expect((await sealedOf(workspace, "mine")).length).toBeGreaterThan(0);
  expect(await admin.remove({ name: "mine" })).toEqual({ removed: true });
  expect(await admin.list()).toEqual([]);
});

test.each(["put", "remove"] as const)("%s needs a proof at most five minutes old", async (step) => {
  const workspace = await testWorkspace(urls.admin);
  const stale = callerAs(workspace, "admin", { session: staleSession() }).secrets;
  const input = { name: "key", value: VALUE };
  await expect(step === "put" ? stale.put(input) : stale.remove({ name: "key" })).rejects.toMatchObject({
    cause: { code: "step_up_required" },
  });
});

test.each([
  ["Upper", VALUE],
  ["-dash", VALUE],
  ["a".repeat(61), VALUE],
  ["mcp:x", VALUE],
  ["other:x:y", VALUE],
  ["", VALUE],
  ["key", "short"],
  ["key", "x".repeat(8_193)],
  ["key", "with-nul-\u0000-inside"],
])("the name %j with its value is rejected without repeating the value", async (name, value) => {
  const { admin } = await open();
  const refused = await admin.put({ name, value }).then(
    () => `let in ${value}`,
    (error: unknown) => String(error),
  );
  expect(refused).not.toContain(value);
  expect(await admin.list()).toEqual([]);
});
