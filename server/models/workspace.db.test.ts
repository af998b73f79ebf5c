import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Provider } from "@/lib/model-provider";
import type { ModelSetting } from "@/lib/model-settings";
import { systemClock } from "@/server/clock";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import type { Resolve } from "@/server/security/egress-connect";
import { createVault } from "@/server/security/vault";
import { testDatabase } from "@/server/testing/database";
import type { ModelCall, ModelsFor } from "./contract";
import { listInstallationEntries } from "./registry";
import { startFake, type Answer, type Fake, type Sent } from "./testing/fake";
import { describeChat } from "./testing/openai-fake";
import { requestFor } from "./testing/requests";
import { storedKey, storedSettings } from "./testing/settings";
import { createCircuits } from "@/server/models/circuits";
import { createModelCaller, type ModelCaller } from "./sdk/language-models";
import { createWorkspaceModels } from "./workspace";

type WorkspaceModels = { readonly modelsFor: ModelsFor };

const urls = await testDatabase("runner");
const VAULT = createVault(randomBytes(32).toString("hex"));
const KEY = "sk-canary-of-this-provider";
const never = new AbortController().signal;
const open: Fake[] = [];
const made: ModelCaller[] = [];
let workspaceId = "";

beforeEach(async () => {
  workspaceId = await testWorkspace(urls.admin);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((fake) => fake.close()));
});
afterAll(() => Promise.all(made.map((each) => each.close())));

const fakeServer = async (answer: (sent: Sent) => Answer = () => ({ body: describeChat("yes") })): Promise<Fake> => {
  const fake = await startFake(answer);
  open.push(fake);

  return fake;
};
const workspaceModels = (resolve?: Resolve, installation = listInstallationEntries({})): WorkspaceModels => {
  const caller = createModelCaller({ resolve });
  made.push(caller);
  const circuits = createCircuits(systemClock, () => undefined);
  const call = (_workspace: string, asked: ModelCall, signal: AbortSignal) => caller.call(asked, signal);

  return { modelsFor: createWorkspaceModels({ installation, vault: VAULT, clock: systemClock, call, circuits }) };
};
const local = (url: string, part: Partial<Provider> = {}): Provider => ({
  id: "ours",
  kind: "openai-compatible",
  name: "Ours",
  base_url: url,
  allow_local: true,
  key_version: 1,
  revision: 1,
  ...part,
});
const price = { input_usd_per_million: 2, output_usd_per_million: 10, source: "Contract", as_of: "2026-11-01" };
const setting = (part: Partial<ModelSetting> = {}): ModelSetting => ({
  model: "ours:small",
  allowed: true,
  price,
  defaults: [],
  revision: 1,
  ...part,
});
const stored = async (provider: Provider, settings: readonly ModelSetting[] = [setting()], key: string | null = KEY) => {
  await storedSettings(urls.admin, workspaceId, { providers: [], models: [] });
  await storedSettings(urls.admin, workspaceId, { providers: [provider], models: [...settings] });
  if (key !== null) await storedKey(urls.admin, VAULT, workspaceId, provider, key);
};
const call = async ({ modelsFor }: WorkspaceModels, model = "ours:small", environment: string | null = null) =>
  (await modelsFor(workspaceId, environment)).generate(requestFor(model), never);
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "answered",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("a workspace's own provider", () => {
  test.each(["openai-compatible", "openai"] as const)("is called as %s with its sealed key at the admin's price", async (kind) => {
    const fake = await fakeServer();
    await stored(local(fake.url, { kind }));
    const answer = await call(workspaceModels());
    expect(answer).toMatchObject({ text: "yes", usage: { model: "ours:small", cost_micro_usd: 400, price_source: "override" } });
    expect(fake.sent.map(({ url, headers }) => [url, headers.authorization])).toEqual([["/v1/chat/completions", `Bearer ${KEY}`]]);
  });

  describe("with a key of its own in dev", () => {
    const DEV = "sk-canary-of-dev";
    const inDev = { environment_keys: ["dev"] };
    const keysOf = (fake: Fake) => fake.sent.map(({ headers }) => headers.authorization);
    const withDev = async (part: Partial<Provider> = {}, key: string | null = KEY, answer?: (sent: Sent) => Answer): Promise<Fake> => {
      const fake = await fakeServer(answer);
      await stored(local(fake.url, { ...inDev, ...part }), [setting()], key);
      await storedKey(urls.admin, VAULT, workspaceId, local(fake.url), DEV, "dev");

      return fake;
    };

    test("is called with it there, and with the shared one elsewhere", async () => {
      const fake = await withDev();
      const models = workspaceModels();
      for (const environment of ["dev", "production", null]) await call(models, "ours:small", environment);
      expect(keysOf(fake)).toEqual([DEV, KEY, KEY].map((key) => `Bearer ${key}`));
    });

    test("is called nowhere else if there is no shared key", async () => {
      const fake = await withDev({ key_version: 0 }, null);
      const models = workspaceModels();
      await call(models, "ours:small", "dev");
      for (const environment of ["production", null]) expect(await codeOf(call(models, "ours:small", environment))).toBe("model_unusable");
      expect(keysOf(fake)).toEqual([`Bearer ${DEV}`]);
    });

    test("uses no key that no setting names, and never another for a lost one", async () => {
      const planted = await withDev({ environment_keys: ["staging"] });
      await call(workspaceModels(), "ours:small", "dev");
      expect(keysOf(planted)).toEqual([`Bearer ${KEY}`]);
      expect(await codeOf(call(workspaceModels(), "ours:small", "staging"))).toBe("model_unusable");
    });

    test("cannot be called with rows that were swapped", async () => {
      const fake = await withDev();
      await asAdmin(
        urls.admin,
        `update secret s set sealed = o.sealed from secret o
         where s.workspace_id = $1 and o.workspace_id = $1 and o.environment <> s.environment`,
        [workspaceId],
      );
      const models = workspaceModels();
      for (const environment of ["dev", null]) expect(await codeOf(call(models, "ours:small", environment))).toBe("model_unusable");
      expect(fake.sent).toEqual([]);
    });

    test("is still called elsewhere while it refuses the calls of dev", async () => {
      const fake = await withDev({}, KEY, ({ headers }) =>
        headers.authorization === `Bearer ${DEV}` ? { status: 429, body: {} } : { body: describeChat("yes") },
      );
      const models = workspaceModels();
      for (const _ of Array.from({ length: 6 })) expect(await codeOf(call(models, "ours:small", "dev"))).toBe("model_rate_limited");
      expect(fake.sent.length, "the last one is refused here").toBe(5);
      await call(models, "ours:small", "production");
      expect(fake.sent.length).toBe(6);
    });
  });

  test("is hidden from other workspaces", async () => {
    const fake = await fakeServer();
    await stored(local(fake.url));
    const other = await testWorkspace(urls.admin);
    const models = workspaceModels();
    expect(await codeOf(models.modelsFor(other).then((theirs) => theirs.generate(requestFor("ours:small"), never)))).toBe("model_unknown");
    expect(fake.sent).toEqual([]);
  });

  test("without a key gets none of the installation's, whatever its environment name", async () => {
    const fake = await fakeServer();
    for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_COMPATIBLE_API_KEY"])
      vi.stubEnv(name, "sk-installation");
    await stored(local(fake.url, { key_version: 0 }), [setting()], null);
    await call(workspaceModels());
    expect(JSON.stringify(fake.sent)).not.toContain("sk-installation");
    for (const kind of ["openai", "anthropic"] as const) {
      await stored(local(fake.url, { kind, key_version: 0 }), [setting()], null);
      expect(await codeOf(call(workspaceModels()))).toBe("model_unusable");
    }
    expect(fake.sent).toHaveLength(1);
  });

  test("without an address is not sent to the environment's", async () => {
    const fake = await fakeServer();
    vi.stubEnv("OPENAI_BASE_URL", fake.url);
    vi.stubEnv("ANTHROPIC_BASE_URL", fake.url);
    const nobody: Resolve = () => Promise.resolve([]);
    for (const kind of ["openai", "anthropic"] as const) {
      await stored(local(fake.url, { kind, base_url: null, allow_local: false }));
      expect(await codeOf(call(workspaceModels(nobody)))).toBe("model_unusable");
    }
    expect(fake.sent).toEqual([]);
  });
});

describe("an address", () => {
  test("written into the database does not get another address's key", async () => {
    const [mine, theirs] = [await fakeServer(), await fakeServer()];
    await stored(local(mine.url));
    const models = workspaceModels();
    await call(models);
    await asAdmin(urls.admin, "update model_provider set base_url = $2 where workspace_id = $1", [workspaceId, theirs.url]);
    expect(await codeOf(call(models))).toBe("model_unusable");
    expect(await codeOf(call(workspaceModels()))).toBe("model_unusable");
    expect(theirs.sent).toEqual([]);
  });

  test("that is local is unreachable unless allowed, or in place of a public one", async () => {
    const fake = await fakeServer();
    const { port } = new URL(fake.url);
    await stored(local(fake.url, { allow_local: false }));
    expect(await codeOf(call(workspaceModels()))).toBe("model_unusable");
    const home: Resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    await stored(local(`https://models.example.com:${port}/v1`, { allow_local: false }));
    expect(await codeOf(call(workspaceModels(home)))).toBe("model_unusable");
    expect(fake.sent).toEqual([]);
  });

  test.each([
    "http://169.254.169.254/v1",
    "http://[fd00:ec2::254]/v1",
    "http://0.0.0.0/v1",
    "file:///etc/passwd",
    "http://user:pass@127.0.0.1/v1",
    "no address",
  ])("%s, written directly into the database with the switch on, is not called", async (base) => {
    await stored(local("http://127.0.0.1:1/v1"));
    await asAdmin(urls.admin, "update model_provider set base_url = $2 where workspace_id = $1", [workspaceId, base]);
    expect(await codeOf(call(workspaceModels()))).toBe("model_unusable");
  });

  test("resolving to a cloud metadata address is refused whatever the switch says", async () => {
    const metadata: Resolve = () => Promise.resolve([{ address: "169.254.169.254", family: 4 }]);
    await stored(local("http://models.internal/v1"));
    expect(await codeOf(call(workspaceModels(metadata)))).toBe("model_unusable");
  });

  test.each(["another origin", "another path of its own"])("that redirects to %s is not followed", async (to) => {
    const theirs = await fakeServer();
    let own = "";
    const fake = await fakeServer(() => ({ status: 307, headers: { location: to === "another origin" ? theirs.url : own }, body: "" }));
    own = `${fake.url}/elsewhere`;
    await stored(local(fake.url));
    expect(await codeOf(call(workspaceModels()))).not.toBe("answered");
    expect([fake.sent.length, theirs.sent.length]).toEqual([1, 0]);
  });
});

describe("a model", () => {
  test("is refused from the next call after an admin removes it, as is an unlisted one", async () => {
    const fake = await fakeServer();
    await stored(local(fake.url));
    const models = workspaceModels();
    await call(models);
    await storedSettings(urls.admin, workspaceId, { providers: [local(fake.url)], models: [setting({ allowed: false, revision: 2 })] });
    expect(await codeOf(call(models))).toBe("model_not_allowed");
    expect(await codeOf(call(models, "ours:large"))).toBe("model_not_allowed");
    expect(fake.sent).toHaveLength(1);
  });

  test("of the installation is removed and priced per workspace", async () => {
    const fake = await fakeServer();
    const installation = listInstallationEntries({ OPENAI_BASE_URL: fake.url, OPENAI_MODEL: "llama" });
    const models = workspaceModels(undefined, installation);
    const llama = "openai-compatible:llama";
    const other = await testWorkspace(urls.admin);
    await storedSettings(urls.admin, other, { providers: [], models: [setting({ model: llama, allowed: false })] });
    await storedSettings(urls.admin, workspaceId, { providers: [], models: [setting({ model: llama })] });
    expect((await call(models, llama)).usage).toMatchObject({ cost_micro_usd: 400, price_source: "override" });
    expect(await codeOf(models.modelsFor(other).then((theirs) => theirs.generate(requestFor(llama), never)))).toBe("model_not_allowed");
  });

  test("of a local server is free unless priced", async () => {
    const fake = await fakeServer();
    await stored(local(fake.url), [setting({ price: null })]);
    expect((await call(workspaceModels())).usage).toMatchObject({ cost_micro_usd: 0, price_source: "self-hosted" });
    await stored(local(fake.url), [setting({})]);
    expect((await call(workspaceModels())).usage).toMatchObject({ cost_micro_usd: 400, price_source: "override" });
  });

  test("without a price is neither estimated nor called", async () => {
    const fake = await fakeServer();
    await stored(local(fake.url.replace("127.0.0.1", "models.example.com")), [setting({ price: null })]);
    const models = await workspaceModels().modelsFor(workspaceId);
    expect(() => models.estimate(requestFor("ours:small"))).toThrow(expect.objectContaining({ code: "model_price_unknown" }));
    expect(await codeOf(models.generate(requestFor("ours:small"), never))).toBe("model_price_unknown");
    expect(fake.sent).toEqual([]);
  });

  test("with malformed settings is removed, and a malformed provider has no models", async () => {
    const fake = await fakeServer();
    await stored(local(fake.url));
    await asAdmin(urls.admin, `update model_setting set price = '{"input_usd_per_million": -5}' where workspace_id = $1`, [workspaceId]);
    expect(await codeOf(call(workspaceModels()))).toBe("model_not_allowed");
    await stored(local(fake.url));
    await asAdmin(urls.admin, "update model_provider set revision = 0 where workspace_id = $1", [workspaceId]);
    expect(await codeOf(call(workspaceModels()))).toBe("model_unknown");
    expect(fake.sent).toEqual([]);
  });

  test("that is scripted exists in every workspace", async () => {
    const models = await workspaceModels().modelsFor(workspaceId);
    expect(models.list().filter(({ scripted }) => scripted)).toHaveLength(15);
  });
});
