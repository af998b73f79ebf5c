import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { MOST_ENDPOINTS } from "@/lib/webhooks/types";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openWebhookSecret } from "@/server/notify/secret";
import { createVault } from "@/server/security/vault";
import { queryOn } from "@/server/testing/connections";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("web");
const { home } = await testInstallation();
const vaultKey = randomBytes(32).toString("hex");
fs.mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
fs.writeFileSync(path.join(home, "keys", "vault.key"), vaultKey, { mode: 0o600 });
vi.stubEnv("COUNTERSIGN_HOME", home);
vi.stubEnv("COUNTERSIGN_WEBHOOK_ORIGINS", "http://127.0.0.1:4999");

const FIELDS = { url: "https://hooks.example.com/T0/secret-path", description: "Desk", types: ["approval.requested" as const] };
const open = async () => {
  const workspace = await testWorkspace(urls.admin);

  return { workspace, admin: callerAs(workspace, "admin").webhooks, reviewer: callerAs(workspace, "reviewer").webhooks };
};
const rowOf = async (id: string) =>
  (
    await queryOn<{ secret: Buffer; old_secret: Buffer | null }>(
      urls.admin,
      "select secret, old_secret from webhook_endpoint where id = $1",
      [id],
    )
  )[0];

test("a secret is shown once: no answer or row has it, and it opens for its endpoint only", async () => {
  const { workspace, admin } = await open();
  const { id, secret } = await admin.create(FIELDS);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const bare = secret.slice("whsec_".length);
  const answers = JSON.stringify([await admin.list(), await admin.get({ endpointId: id })]);
  const rows = JSON.stringify(await queryOn(urls.admin, "select e::text from webhook_endpoint e"));
  const hex = Buffer.from(bare, "base64").toString("hex");
  for (const text of [answers, rows]) expect([text.includes(bare), text.includes(hex)]).toEqual([false, false]);
  const sealed = (await rowOf(id))?.secret ?? Buffer.alloc(0);
  const vault = createVault(vaultKey);
  expect([openWebhookSecret(vault, workspace, id, sealed), openWebhookSecret(vault, workspace, randomUUID(), sealed)]).toEqual([
    secret,
    null,
  ]);
});

test("a replaced secret stays as the old one", async () => {
  const { workspace, admin } = await open();
  const { id, secret } = await admin.create(FIELDS);
  const { secret: next } = await admin.rotateSecret({ endpointId: id });
  const row = await rowOf(id);
  const vault = createVault(vaultKey);
  const opened = [row?.secret, row?.old_secret].map((sealed) => sealed && openWebhookSecret(vault, workspace, id, sealed));
  expect(opened).toEqual([next, secret]);
  expect((await admin.get({ endpointId: id })).endpoint.oldSecretUntil).toBeGreaterThan(Date.now());
});

test.each([
  ["http://127.0.0.1:3000/", "not public"],
  ["https://localhost/", "not public"],
  ["https://169.254.169.254/latest", "not public"],
  ["https://[::1]/", "not public"],
  ["https://10.1.2.3/hook", "not public"],
  ["http://hooks.example.com/", "https"],
  ["https://user:pass@hooks.example.com/", "user name"],
  ["ftp://hooks.example.com/", "https"],
  ["hooks", "Enter a valid address"],
])("%s is rejected with a reason on creation and change", async (url, reason) => {
  const { admin } = await open();
  await expect(admin.create({ ...FIELDS, url })).rejects.toThrow(reason);
  const { id } = await admin.create(FIELDS);
  await expect(admin.update({ endpointId: id, ...FIELDS, url })).rejects.toThrow(reason);
  expect((await admin.get({ endpointId: id })).endpoint.url).toBe(FIELDS.url);
});

test("a local origin is accepted when the operator opened exactly it", async () => {
  const { admin } = await open();
  await admin.create({ ...FIELDS, url: "http://127.0.0.1:4999/hook" });
  await expect(admin.create({ ...FIELDS, url: "http://127.0.0.1:4998/hook" })).rejects.toThrow("not public");
});

test("a reviewer sees the host without the secret path, and other workspaces see nothing", async () => {
  const { admin, reviewer } = await open();
  const stranger = (await open()).admin;
  const { id } = await admin.create(FIELDS);
  const seen = [await reviewer.list(), await reviewer.get({ endpointId: id })];
  expect(JSON.stringify(seen)).not.toContain("secret-path");
  expect(seen[0]).toMatchObject([{ url: "https://hooks.example.com" }]);
  expect(await stranger.list()).toEqual([]);
  const target = { endpointId: id };
  for (const ask of [
    () => stranger.get(target),
    () => stranger.remove(target),
    () => stranger.test(target),
    () => stranger.rotateSecret(target),
    () => stranger.switch({ ...target, on: false }),
    () => stranger.update({ ...target, ...FIELDS }),
  ]) {
    await expect(ask()).rejects.toThrow("Not found");
  }
  expect((await admin.get(target)).endpoint.offReason).toBeNull();
});

test("a test waits for the runner, one at a time; an ended delivery is resent under its id; removal deletes all", async () => {
  const { workspace, admin } = await open();
  const { id } = await admin.create(FIELDS);
  const target = { endpointId: id };
  const { deliveryId: delivery } = await admin.test(target);
  await expect(admin.test(target)).rejects.toThrow("already in progress");
  await expect(admin.redeliver({ deliveryId: delivery })).rejects.toThrow("Not found");
  expect((await admin.get(target)).deliveries).toMatchObject([{ id: delivery, type: "webhook.test", status: "pending", attempts: 0 }]);
  await asAdmin(urls.admin, "update webhook_delivery set status = 'failed', attempts = 10, ended_at = now() where id = $1", [delivery]);
  await admin.redeliver({ deliveryId: delivery });
  expect((await admin.get(target)).deliveries).toMatchObject([{ id: delivery, status: "pending", attempts: 0, endedAt: null }]);
  await admin.remove(target);
  await expect(admin.get(target)).rejects.toThrow("Not found");
  expect(await queryOn(urls.admin, "select 1 from webhook_delivery where workspace_id = $1", [workspace])).toEqual([]);
});

test("switching off drops the queue, and switching on starts fresh", async () => {
  const { workspace, admin } = await open();
  const { id } = await admin.create(FIELDS);
  await asAdmin(
    urls.admin,
    "insert into webhook_delivery (workspace_id, id, endpoint_id, type, subject) values ($1, $2, $3, 'approval.requested', 'x')",
    [workspace, randomUUID(), id],
  );
  await admin.switch({ endpointId: id, on: false });
  expect(await admin.get({ endpointId: id })).toMatchObject({ endpoint: { offReason: "admin" }, deliveries: [{ status: "dropped" }] });
  await asAdmin(urls.admin, "update webhook_endpoint set off_reason = 'failing', failures = 30, failing_since = now() where id = $1", [id]);
  await admin.switch({ endpointId: id, on: true });
  expect((await admin.get({ endpointId: id })).endpoint).toMatchObject({ offReason: null, failures: 0, failingSince: null });
});

test("limits endpoints per workspace under concurrency", async () => {
  const { admin } = await open();
  const added = await Promise.allSettled(Array.from({ length: MOST_ENDPOINTS + 3 }, () => admin.create(FIELDS)));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST_ENDPOINTS);
  expect(await admin.list()).toHaveLength(MOST_ENDPOINTS);
});

test("the web process cannot write a notification's content or outcome", async () => {
  const { admin } = await open();
  const { id } = await admin.create(FIELDS);
  await admin.test({ endpointId: id });
  for (const change of ["payload = 'x'", "code = 200", "fault = null"]) {
    await expect(queryOn(urls.web, `update webhook_delivery set ${change}`)).rejects.toThrow("permission denied");
  }
  await expect(queryOn(urls.web, "update webhook_endpoint set sent_checkpoint = 5")).rejects.toThrow("permission denied");
});

test("a chat is added with its format and group, and gets events of approval requests only", async () => {
  const { admin } = await open();
  const chat = { ...FIELDS, format: "teams" as const, groupName: "billing" };
  const { id } = await admin.create(chat);
  expect((await admin.get({ endpointId: id })).endpoint).toMatchObject({ format: "teams", groupName: "billing" });
  await admin.update({ endpointId: id, ...FIELDS, format: "slack", groupName: null });
  expect((await admin.get({ endpointId: id })).endpoint).toMatchObject({ format: "slack", groupName: null });
  await expect(admin.create({ ...chat, types: ["run.ended"] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(admin.create({ ...chat, format: "signed", types: ["run.ended"] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
