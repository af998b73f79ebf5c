import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ENVIRONMENTS, type Environment } from "@/lib/environments/environment";
import type { Provider } from "@/lib/model-provider";
import { systemClock } from "@/server/clock";
import { testInstallation } from "@/server/mcp/testing/installation";
import { createCircuits } from "@/server/models/circuits";
import { createModelCaller } from "@/server/models/sdk/language-models";
import { startFake, type Fake } from "@/server/models/testing/fake";
import { describeChat } from "@/server/models/testing/openai-fake";
import { storedKey, storedSettings } from "@/server/models/testing/settings";
import { createWorkspaceModels } from "@/server/models/workspace";
import { command, openDesk, publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { drive } from "@/server/runner/testing/run";
import { getModelSettingsForRunner } from "@/server/store/workspaces/model-settings";
import { testDatabase } from "@/server/testing/database";
import { listMissing } from "@/server/web/promotion";

const [SHARED, DEV] = ["sk-canary-of-all", "sk-canary-of-dev"];
const TWO: readonly Environment[] = ["dev", "production"].map((id) => ({ id, title: id }));
const urls = await testDatabase("runner");
const installation = await testInstallation();
const caller = createModelCaller();
let desk: Desk;
let fake: Fake;
let inDev: string;

beforeAll(async () => {
  const opened = await openDesk(urls, installation);
  const modelsFor = createWorkspaceModels({
    installation: new Map(),
    vault: opened.deps.vault,
    clock: systemClock,
    circuits: createCircuits(systemClock, () => undefined),
    call: (_workspace, call, signal) => caller.call(call, signal),
  });
  desk = { ...opened, deps: { ...opened.deps, modelsFor } };
  fake = await startFake(() => ({ status: 400, body: describeChat("no") }));
  await list(DEFAULT_ENVIRONMENTS, TWO);
  const { graph, ...rest } = desk.published;
  inDev = await publishAs(desk, { graph: { ...graph, description: "In dev" }, ...rest }, desk.people.builder);
}, 120_000);
afterAll(async () => {
  await Promise.all([desk.mcp.close(), fake.close(), caller.close()]);
});

const list = async (was: readonly Environment[], environments: readonly Environment[]) =>
  (await sendOwn(desk, { kind: "environments_set", was: [...was], environments: [...environments] }, desk.people.admin)).refusal?.code ??
  null;
const store = async (part: Partial<Provider>, keys: readonly (readonly [string, string | null])[]): Promise<void> => {
  const { vault } = desk.deps;
  const provider: Provider = {
    id: "ours",
    kind: "openai-compatible",
    name: "Ours",
    base_url: fake.url,
    allow_local: true,
    key_version: 1,
    revision: 1,
    ...part,
  };
  const models = [{ model: "ours:small", allowed: true, price: null, defaults: [], revision: 1 }];
  await storedSettings(urls.admin, desk.workspace, { providers: [], models: [] });
  await storedSettings(urls.admin, desk.workspace, { providers: [provider], models });
  for (const [key, environment] of keys) await storedKey(urls.admin, vault, desk.workspace, provider, key, environment);
};
const start = async (graphHash: string): Promise<string | null> => {
  const run = randomUUID();
  const id = await command(desk, run, desk.people.starter, {
    kind: "start",
    graph_hash: graphHash,
    goal: "Go",
    constraints: [],
    inputs: { mail_file: "01-upgrade.txt" },
    model: "ours:small",
  });
  await drive(desk, run);
  const [row] = await query<{ outcome: { refusal: { code: string; ids: string[] } | null } | null }>(
    urls.admin,
    "select outcome from command where id = $1",
    [id],
  );
  const refusal = row?.outcome?.refusal;

  return refusal ? `${refusal.code} ${refusal.ids.join(" ")}` : null;
};
const listKeys = () => new Set(fake.sent.splice(0).map(({ headers }) => headers.authorization));

it("a run is called with the key of its environment, else with the provider's", async () => {
  await store({ environment_keys: ["dev"] }, [
    [SHARED, null],
    [DEV, "dev"],
  ]);
  expect([await start(inDev), listKeys()]).toEqual([null, new Set([`Bearer ${DEV}`])]);
  expect([await start(desk.graphHash), listKeys()]).toEqual([null, new Set([`Bearer ${SHARED}`])]);
});

it("a run without either is refused at its start, and a promotion warns", async () => {
  await store({ key_version: 0, environment_keys: ["dev"] }, [[DEV, "dev"]]);
  expect([await start(desk.graphHash), listKeys()]).toEqual(["secret_missing model:ours", new Set()]);
  expect([await start(inDev), listKeys()]).toEqual([null, new Set([`Bearer ${DEV}`])]);
  const agents = desk.published.agents.map((agent) => ({ ...agent, model: "ours:small" }));
  const fixed = { ...desk.published, agents };
  const missing = await Promise.all(TWO.map(({ id }) => listMissing(desk.workspace, fixed, id)));
  expect(missing.map(({ missingSecrets }) => missingSecrets)).toEqual([[], ["model:ours"]]);
});

it("a removed environment takes its key along, also for one of the same id", async () => {
  const [dev, production] = TWO;
  if (!dev || !production) throw new Error("two environments are missing");
  await store({ environment_keys: ["dev"] }, [
    [SHARED, null],
    [DEV, "dev"],
  ]);
  expect([await list(TWO, [production]), await list([production], TWO)]).toEqual([null, null]);
  const { providers } = await getModelSettingsForRunner(desk.workspace);
  expect(providers.map(({ environment_keys: keys, revision }) => [keys, revision])).toEqual([[undefined, 2]]);
  const left = await query<{ environment: string }>(urls.admin, "select environment from secret where name = 'model:ours'");
  expect(left).toEqual([{ environment: "" }]);
});
