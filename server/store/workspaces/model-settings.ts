/** Model settings, written only by the runner. */
import { toCanonicalJson, type Json } from "@/lib/json";
import { mergeCalls } from "@/lib/merge-calls";
import { providerSchema, type Provider } from "@/lib/model-provider";
import { modelSettingSchema, MOST_MODELS, MOST_PROVIDERS, type ModelSetting, type ModelSettings } from "@/lib/model-settings";
import { modelTestSchema, type ModelTest } from "@/lib/model-test";
import { getModelSecretName } from "@/lib/secrets/reference";
import { systemClock } from "@/server/clock";
import { getDatabase, runInWorkspace } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

const ORDER = { providers: [{ createdAt: "asc" }, { id: "asc" }], models: { model: "asc" } } as const;

type ProviderRow = Awaited<ReturnType<LedgerTransaction["modelProvider"]["findMany"]>>[number];
type ModelRow = Awaited<ReturnType<LedgerTransaction["modelSetting"]["findMany"]>>[number];

/** Malformed providers cannot be called. */
const readProvider = ({ id, kind, name, baseUrl, allowLocal, keyVersion, environmentKeys, revision }: ProviderRow): readonly Provider[] => {
  const keys = environmentKeys.length === 0 ? {} : { environment_keys: environmentKeys };
  const row = { id, kind, name, base_url: baseUrl, allow_local: allowLocal, key_version: keyVersion, ...keys, revision };

  const parsed = providerSchema.safeParse(row);

  return parsed.success ? [parsed.data] : [];
};

const nameSchema = modelSettingSchema.shape.model;

const readModel = ({ model, allowed, price, defaults, revision }: ModelRow): readonly ModelSetting[] => {
  const parsed = modelSettingSchema.safeParse({ model, allowed, price, defaults, revision });
  if (parsed.success) return [parsed.data];

  return nameSchema.safeParse(model).success ? [{ model, allowed: false, price: null, defaults: [], revision: 1 }] : [];
};

type Client = Pick<LedgerTransaction, "modelProvider" | "modelSetting">;

const find = async ({ modelProvider, modelSetting }: Client, workspaceId: string) => {
  const where = { workspaceId };
  const providers = await modelProvider.findMany({ where, orderBy: [...ORDER.providers], take: MOST_PROVIDERS });
  const models = await modelSetting.findMany({ where, orderBy: ORDER.models, take: MOST_MODELS });

  return { providers, settings: { providers: providers.flatMap(readProvider), models: models.flatMap(readModel) } };
};

export const readModelSettings = async (client: Client, workspaceId: string): Promise<ModelSettings> =>
  (await find(client, workspaceId)).settings;

export const getModelSettingsForRunner = (workspaceId: string): Promise<ModelSettings> => readModelSettings(getDatabase(), workspaceId);

const testSchema = modelTestSchema.nullable().catch(null);

export const getModelSettings = mergeCalls(
  async (workspaceId: string): Promise<{ readonly settings: ModelSettings; readonly tests: ReadonlyMap<string, ModelTest> }> => {
    const { providers, settings } = await runInWorkspace(workspaceId, (tx) => find(tx, workspaceId));
    const tests = providers.map(({ id, test }) => [id, testSchema.parse(test)] as const);

    return { settings, tests: new Map(tests.flatMap(([id, test]) => (test ? [[id, test] as const] : []))) };
  },
);

const writeProvider = async (tx: LedgerTransaction, workspaceId: string, one: Provider): Promise<void> => {
  const {
    id,
    kind,
    name,
    base_url: baseUrl,
    allow_local: allowLocal,
    key_version: keyVersion,
    environment_keys: keys = [],
    revision,
  } = one;
  const row = { name, baseUrl, allowLocal, keyVersion, environmentKeys: [...keys], revision };
  await tx.modelProvider.upsert({
    where: { workspaceId_id: { workspaceId, id } },
    create: { workspaceId, id, kind, ...row },
    update: { ...row, changedAt: new Date(systemClock.now()) },
  });
};

const writeModel = async (tx: LedgerTransaction, workspaceId: string, { model, price, defaults, ...rest }: ModelSetting): Promise<void> => {
  const row = { ...rest, price: price ?? Prisma.DbNull, defaults: [...defaults] };
  await tx.modelSetting.upsert({
    where: { workspaceId_model: { workspaceId, model } },
    create: { workspaceId, model, ...row },
    update: { ...row, changedAt: new Date(systemClock.now()) },
  });
};

const differing = <T extends Json>(before: readonly T[], after: readonly T[]): readonly T[] => {
  const known = new Set(before.map((one) => toCanonicalJson(one)));

  return after.filter((one) => !known.has(toCanonicalJson(one)));
};

/** Writes the difference; a removed provider loses its key. */
export const writeModelSettings = async (
  tx: LedgerTransaction,
  workspaceId: string,
  before: ModelSettings,
  after: ModelSettings,
): Promise<void> => {
  const goneProviders = before.providers.map(({ id }) => id).filter((id) => !after.providers.some((one) => one.id === id));
  const goneModels = before.models.map(({ model }) => model).filter((model) => !after.models.some((one) => one.model === model));
  await tx.modelProvider.deleteMany({ where: { workspaceId, id: { in: goneProviders } } });
  await tx.modelSetting.deleteMany({ where: { workspaceId, model: { in: goneModels } } });
  await tx.secret.deleteMany({ where: { workspaceId, name: { in: goneProviders.map(getModelSecretName) } } });
  for (const one of differing(before.providers, after.providers)) await writeProvider(tx, workspaceId, one);
  for (const one of differing(before.models, after.models)) await writeModel(tx, workspaceId, one);
};

type KeyPlace = {
  readonly workspaceId: string;
  readonly provider: string;
  /** Null: of all without their own. */
  readonly environment: string | null;
};
type SealedKey = { readonly sealed: Uint8Array<ArrayBuffer>; readonly userId: string };

/** Writes in the same transaction. The runner may insert no other columns, and Prisma would insert the defaults. */
export const writeProviderKey = async (
  tx: LedgerTransaction,
  { workspaceId, provider, environment }: KeyPlace,
  { sealed, userId }: SealedKey,
): Promise<void> => {
  await tx.$executeRaw`
    insert into secret (workspace_id, name, environment, sealed, created_by)
    values (${workspaceId}::uuid, ${getModelSecretName(provider)}, ${environment ?? ""}, ${sealed}, ${userId}::uuid)
    on conflict (workspace_id, name, environment) do update set sealed = excluded.sealed, version = secret.version + 1, rotated_at = now()`;
};

export const removeProviderKey = async (tx: LedgerTransaction, { workspaceId, provider, environment }: KeyPlace): Promise<void> => {
  await tx.secret.deleteMany({ where: { workspaceId, name: getModelSecretName(provider), environment: environment ?? "" } });
};

export const storeModelTest = async (workspaceId: string, providerId: string, test: ModelTest): Promise<void> => {
  await getDatabase().modelProvider.updateMany({ where: { workspaceId, id: providerId }, data: { test } });
};
