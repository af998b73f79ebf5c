import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { createAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { ModelChange } from "@/lib/model-change";
import { modelTestSchema, type ModelTest } from "@/lib/model-test";
import { systemClock } from "@/server/clock";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { openProviderKey } from "@/server/models/own-key";
import { listInstallationEntries } from "@/server/models/registry";
import { startFake, type Fake } from "@/server/models/testing/fake";
import { describeChat } from "@/server/models/testing/openai-fake";
import { createCircuits } from "@/server/models/circuits";
import { createModelCaller } from "@/server/models/sdk/language-models";
import { createWorkspaceModels } from "@/server/models/workspace";
import { recordAttempts } from "@/server/runner/attempts";
import type { RunnerDeps } from "@/server/runner/deps";
import { query } from "@/server/runner/testing/desk";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { loadSignerFromPem } from "@/server/security/keyring";
import { createVault } from "@/server/security/vault";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { getModelSettingsForRunner } from "@/server/store/workspaces/model-settings";
import { sealedSecret } from "@/server/store/ledger/secrets";
import { createStopSwitches } from "@/server/runner/stop-switch";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { recordRows, userAuthor, writeCommand } from "@/server/testing/authority";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const KEY = "sk-canary-in-a-step";
const vault = createVault(randomBytes(32).toString("hex"));
const signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
useTrustAnchor(createAnchor({ kid: signer.kid, public_key: signer.publicKey, since: 0 }));
const nobody = () => Promise.reject(new Error("no server is called here"));
const caller = createModelCaller();
const authority = createAuthorityReader({ publicKeys: listPublicKeys });
const deps: RunnerDeps = {
  clock: systemClock,
  signer,
  vault,
  mcp: { call: nobody, check: nobody, standing: nobody, close: () => Promise.resolve() },
  journal: createMemoryJournal(systemClock),
  modelsFor: createWorkspaceModels({
    installation: listInstallationEntries({}),
    vault,
    clock: systemClock,
    circuits: createCircuits(systemClock, () => undefined),
    call: (_workspace, call, signal) => caller.call(call, signal),
  }),
  execute: nobody,
  publicKeys: listPublicKeys,
  authority,
  notify: () => undefined,
  leaseMs: 60_000,
  switches: createStopSwitches(authority),
};

let workspace = "";
let admin = "";
let builder = "";
let fake: Fake;

const person = async (role: string): Promise<string> => {
  const id = randomUUID();
  await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, role]);
  await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return id;
};
beforeEach(async () => {
  workspace = await testWorkspace(urls.admin);
  [admin, builder] = [await person("admin"), await person("builder")];
  await recordRows(deps, workspace);
  fake = await startFake(() => ({ body: describeChat("The moon is made of cheese.") }));
});
afterEach(() => fake.close());

const step = async (change: ModelChange, userId = admin): Promise<CommandOutcome> => {
  const ledger = getWorkspaceLedgerId(workspace);
  const body = { kind: "models_step", change } as const;
  const id = await writeCommand(urls.admin, deps, { workspace, runId: ledger, author: userAuthor(userId), body });
  await recordAttempts(deps, workspace, ledger);
  const [row] = await query<{ outcome: unknown }>(urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome);
};
const provider = () => ({ id: "ours", kind: "openai-compatible" as const, name: "Ours", base_url: fake.url, allow_local: true });
const add = (): ModelChange => ({ type: "add_provider", provider: provider(), key: KEY });
const price = { input_usd_per_million: 2, output_usd_per_million: 10, source: "Contract", as_of: "2026-11-01" };
const records = async () => {
  const stored = await query<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 order by seq",
    [workspace, getWorkspaceLedgerId(workspace)],
  );
  const keys = await listPublicKeys();
  const genuine = await Promise.all(stored.map((record) => verifyRecord(record, keys)));

  const all = genuine.map((signed, index) => {
    if (!signed || (index > 0 && signed.record.parent !== genuine[index - 1]?.digest)) throw new Error(`record ${index} is not genuine`);

    return signed.record;
  });
  expect(all[0]?.control[0]).toMatchObject({ step: "adopted" });

  return all.slice(1);
};
const steps = async () =>
  (await records()).map((record) => {
    const [event] = record.control;

    return event?.type === "admin_changed" ? [event.area, event.subject, event.step] : ["refused", record.refusal?.code];
  });

describe("a step", () => {
  test("is one record of the workspace's ledger with state before and after, and its author", async () => {
    await step(add());
    await step({ type: "add_model", model: "ours:small" });
    await step({ type: "set_price", model: "ours:small", revision: 1, price });
    await step({ type: "set_default", use: "runs", model: "ours:small" });
    await step({ type: "allow_model", model: "ours:small", revision: 3, allowed: false });
    await step({
      type: "edit_provider",
      id: "ours",
      revision: 1,
      fields: { name: "New", base_url: fake.url, allow_local: true },
      key: "another-key",
    });
    await step({ type: "remove_provider", id: "ours", revision: 2 });
    expect(await steps()).toEqual([
      ["models", "ours", "provider_added"],
      ["models", "ours:small", "model_added"],
      ["models", "ours:small", "price_set"],
      ["models", "ours:small", "default_set"],
      ["models", "ours:small", "model_disallowed"],
      ["models", "ours", "provider_key_replaced"],
      ["models", "ours", "provider_removed"],
    ]);
    const all = await records();
    expect(all.every((record) => record.principal.type === "user" && record.principal.id === admin)).toBe(true);
    const [first, , , , , , last] = all.map((record) => record.control[0]);
    if (first?.type !== "admin_changed" || last?.type !== "admin_changed") throw new Error("a step is missing");
    expect([first.before, last.after]).toEqual([null, null]);
    expect([first.after, last.before].every((digest) => /^[0-9a-f]{64}$/u.test(digest ?? ""))).toBe(true);
    expect(await getModelSettingsForRunner(workspace)).toEqual({ providers: [], models: [] });
  });

  test("seals the key for its address only, and destroys it with its provider", async () => {
    await step(add());
    const kept = await sealedSecret(workspace, "model:ours");
    const place = { workspaceId: workspace, provider: "ours", origin: new URL(fake.url).origin, environment: null };
    expect(kept && openProviderKey(vault, place, kept.sealed)).toBe(KEY);
    expect(kept && openProviderKey(vault, { ...place, origin: "https://evil.example" }, kept.sealed)).toBeNull();
    const everything = await query<{ text: string }>(
      urls.admin,
      `select string_agg(t::text, '') as text from (
         select to_jsonb(l) as t from ledger_record l union all select to_jsonb(c) from command c
         union all select to_jsonb(p) from model_provider p union all select to_jsonb(s) from secret s) as rows`,
    );
    for (const form of [KEY, Buffer.from(KEY).toString("hex"), Buffer.from(KEY).toString("base64")])
      expect(everything[0]?.text).not.toContain(form);
    await step({ type: "remove_provider", id: "ours", revision: 1 });
    expect(await sealedSecret(workspace, "model:ours")).toBeNull();
  });

  test("seals a key for one environment, and destroys it there alone", async () => {
    await step(add());
    const keyOf = (environment: string, revision: number, key: string | null): ModelChange => ({
      type: "set_environment_key",
      id: "ours",
      revision,
      environment,
      key,
    });
    const sealedKeys = () =>
      query<{ environment: string; sealed: Buffer }>(
        urls.admin,
        "select environment, sealed from secret where workspace_id = $1 order by 1",
        [workspace],
      );
    expect((await step(keyOf("dev", 1, "sk-canary-of-dev"))).refusal?.code).toBe("step_refused");
    expect((await step(keyOf("production", 1, "sk-canary-of-production"), builder)).refusal?.code).toBe("role_missing");
    expect(await sealedKeys()).toHaveLength(1);
    expect((await step(keyOf("production", 1, "sk-canary-of-production"))).refusal).toBeNull();
    const [shared, own] = await sealedKeys();
    const place = { workspaceId: workspace, provider: "ours", origin: new URL(fake.url).origin, environment: "production" };
    expect(own && openProviderKey(vault, place, own.sealed)).toBe("sk-canary-of-production");
    expect(own && openProviderKey(vault, { ...place, environment: null }, own.sealed)).toBeNull();
    expect(shared && openProviderKey(vault, place, shared.sealed)).toBeNull();
    expect((await step(keyOf("production", 2, null))).refusal).toBeNull();
    expect((await sealedKeys()).map(({ environment }) => environment)).toEqual([""]);
    expect((await steps()).filter(([kind]) => kind === "models").map(([, , name]) => name)).toEqual([
      "provider_added",
      "environment_key_set",
      "environment_key_removed",
    ]);
  });

  test("without permission, too late, or with a disallowed address is refused on record and changes nothing", async () => {
    await step(add());
    const before = await getModelSettingsForRunner(workspace);
    expect((await step({ type: "add_model", model: "ours:small" }, builder)).refusal?.code).toBe("role_missing");
    expect((await step({ type: "remove_provider", id: "ours", revision: 7 })).refusal?.code).toBe("step_refused");
    expect((await step({ type: "remove_provider", id: "theirs", revision: 1 })).refusal?.code).toBe("not_found");
    for (const base of [
      "http://10.0.0.1/v1",
      "http://models.example.com/v1",
      "https://user:pass@models.example.com/v1",
      "https://[::1]/v1",
    ]) {
      const other = { ...provider(), id: "other", base_url: base, allow_local: false };
      expect((await step({ type: "add_provider", provider: other, key: KEY })).refusal?.code).toBe("step_refused");
    }
    const metadata = { ...provider(), id: "other", base_url: "http://169.254.169.254/v1" };
    expect((await step({ type: "add_provider", provider: metadata, key: KEY })).refusal?.code).toBe("step_refused");
    expect(await getModelSettingsForRunner(workspace)).toEqual(before);
    expect(await sealedSecret(workspace, "model:other")).toBeNull();
    expect((await steps()).slice(1).map(([kind]) => kind)).toEqual(Array.from({ length: 8 }, () => "refused"));
  });
});

describe("a test call", () => {
  const tested = async () => {
    const [row] = await query<{ test: unknown }>(urls.admin, "select test from model_provider where workspace_id = $1", [workspace]);

    return row?.test ? modelTestSchema.parse(row.test) : null;
  };
  const callTest = async (): Promise<ModelTest> => {
    const { seq } = await step({ type: "test", model: "ours:small" });

    return vi.waitUntil(async () => {
      const found = await tested();

      return found?.record === seq ? found : null;
    });
  };

  test("reports duration, cost and price source, and keeps no model output", async () => {
    await step(add());
    await step({ type: "add_model", model: "ours:small" });
    await step({ type: "set_price", model: "ours:small", revision: 1, price });
    expect(await callTest()).toMatchObject({
      model: "ours:small",
      outcome: { ok: true, input_tokens: 100, output_tokens: 20, cost_micro_usd: 400, price_source: "override" },
    });
    expect(JSON.stringify(await tested())).not.toContain("moon");
    expect((await steps()).at(-1)).toEqual(["models", "ours:small", "model_tested"]);
  });

  test("without a price is not made; a failure is explained in our own words", async () => {
    const edit = (revision: number, url: string): ModelChange => ({
      type: "edit_provider",
      id: "ours",
      revision,
      fields: { name: "Ours", base_url: url, allow_local: true },
      key: KEY,
    });
    await step(add());
    await step(edit(1, fake.url.replace("127.0.0.1", "models.example.com")));
    await step({ type: "add_model", model: "ours:small" });
    expect((await callTest()).outcome).toEqual({ ok: false, code: "model_price_unknown", message: "No price is known for this model." });
    expect(fake.sent).toEqual([]);
    await step(edit(2, fake.url));
    await step({ type: "set_price", model: "ours:small", revision: 1, price });
    await fake.close();
    expect((await callTest()).outcome).toEqual({ ok: false, code: "model_failed", message: "The model's provider could not be reached." });
    const { origin } = new URL(fake.url);
    fake = await startFake(() => ({ status: 401, body: `no: ${KEY} at ${origin}` }));
    await step(edit(3, fake.url));
    expect((await callTest()).outcome).toEqual({
      ok: false,
      code: "model_failed",
      message: "The model's provider did not accept the key (status 401).",
    });
  });

  test("requires an admin", async () => {
    await step(add());
    await step({ type: "add_model", model: "ours:small" });
    expect((await step({ type: "test", model: "ours:small" }, builder)).refusal?.code).toBe("role_missing");
    expect((await step({ type: "test", model: "scripted:honest" })).refusal?.code).toBe("step_refused");
    expect(await tested()).toBeNull();
  });
});
