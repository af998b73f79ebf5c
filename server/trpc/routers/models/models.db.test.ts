import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import type { ModelSettings } from "@/lib/model-settings";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { testWorkspace } from "@/server/mcp/testing/registered";
import { createModels } from "@/server/models/sdk/in-process";
import { storedKey, storedSettings } from "@/server/models/testing/settings";
import { createVault } from "@/server/security/vault";
import { beat } from "@/server/store/health";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
const VAULT = "ab".repeat(32);
const KEY = "sk-canary-in-the-store";
const PROVIDER = {
  id: "ours",
  kind: "openai-compatible",
  name: "Ours",
  base_url: "https://models.example.com/secret-path/v1",
  allow_local: false,
  key_version: 1,
  revision: 1,
} as const;
const SETTINGS: ModelSettings = {
  providers: [PROVIDER],
  models: [
    { model: "anthropic:claude-opus-5", allowed: false, price: null, defaults: [], revision: 1 },
    { model: "ours:large", allowed: false, price: null, defaults: [], revision: 1 },
    {
      model: "ours:small",
      allowed: true,
      price: { input_usd_per_million: 2, output_usd_per_million: 10, source: "Contract", as_of: "2026-11-01" },
      defaults: ["runs"],
      revision: 3,
    },
  ],
};
let workspace = "";

beforeAll(async () => {
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), VAULT, { mode: 0o600 });
  await beat("runner", { models: createModels({ ANTHROPIC_API_KEY: "k" }).list() });
  await useDatabase(urls.web);
});
beforeEach(async () => {
  workspace = await testWorkspace(urls.admin);
  await storedSettings(urls.admin, workspace, SETTINGS);
  await storedKey(urls.admin, createVault(VAULT), workspace, PROVIDER, KEY);
});

const messageOf = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : error;

  return cause instanceof AppError ? cause.message : "nothing was refused";
};

describe("the settings", () => {
  test.each(["viewer", "builder", "reviewer", "admin"] as const)("tell a %s whether a key exists, never the key", async (role) => {
    const told = await callerAs(workspace, role).models.settings();
    expect(told.providers).toMatchObject([{ id: "ours", hasKey: true, usable: true }]);
    expect(JSON.stringify(told)).not.toContain(KEY);
    const isAdmin = role === "admin";
    expect(told.providers.map(({ baseUrl: url, address }) => [url, address])).toEqual([
      isAdmin ? [PROVIDER.base_url, PROVIDER.base_url] : [null, "https://models.example.com"],
    ]);
  });

  test("show each price's source and date, or that there is none", async () => {
    const { models, priceList: list } = await callerAs(workspace, "viewer").models.settings();
    const found = (id: string) => models.find((model) => model.id === id);
    expect(found("ours:small")).toMatchObject({
      override: { source: "Contract", as_of: "2026-11-01" },
      rates: { input_usd_per_million: 2, source: "override" },
    });
    expect(found("ours:large")).toMatchObject({ rates: null, allowed: false });
    expect(found("anthropic:claude-sonnet-5")).toMatchObject({
      override: null,
      rates: { source: "genai-prices:claude-sonnet-5" },
      own: false,
    });
    expect(list).toMatch(/^genai-prices \d+\.\d+\.\d+$/);
  });

  test("are private to a workspace", async () => {
    const other = await testWorkspace(urls.admin);
    const told = await callerAs(other, "admin").models.settings();
    expect(told.providers).toEqual([]);
    expect(told.models.filter(({ own }) => own)).toEqual([]);
  });
});

describe("choosable models", () => {
  test("are the allowed ones with the default marked, and the scripted ones", async () => {
    const listed = await callerAs(workspace, "builder").models.list();
    const ids = listed.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["scripted:honest", "anthropic:claude-sonnet-5", "ours:small"]));
    expect(ids).not.toContain("ours:large");
    expect(ids).not.toContain("anthropic:claude-opus-5");
    expect(listed.filter(({ defaults }) => defaults.length > 0).map(({ id }) => id)).toEqual(["ours:small"]);
  });

  test("are enforced for runs, forks, agents and the architect", async () => {
    const builder = callerAs(workspace, "builder");
    const model = "ours:large";
    const agent = { id: "helper", name: "Helper", system_prompt: "Help.", model };
    const messages = await Promise.all([
      messageOf(builder.runs.start({ graphHash: "a".repeat(64), goal: "Go", inputs: {}, model })),
      messageOf(builder.runs.fork({ runId: workspace, seq: 1, change: { type: "model", model } })),
      messageOf(builder.agents.save({ agent, revision: null })),
      messageOf(builder.architect.draft({ description: "Draw", pasted: "", model })),
    ]);
    expect(messages).toEqual(messages.map(() => "An admin has not allowed the model ours:large."));
  });
});

test.each(["viewer", "builder", "reviewer"] as const)("a %s can neither change nor test", async (role) => {
  const caller = callerAs(workspace, role);
  expect(await messageOf(caller.models.change({ change: { type: "add_model", model: "ours:tiny" } }))).toMatch(/role doesn't allow/);
  expect(await messageOf(caller.models.test({ model: "ours:small" }))).toMatch(/role doesn't allow/);
});
