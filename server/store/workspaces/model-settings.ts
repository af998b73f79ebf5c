/** Model settings, written only by the runner. */
import { z } from "zod";
import { toCanonicalJson, type Json } from "@/lib/json";
import { providerSchema, type Provider } from "@/lib/model-provider";
import { modelSettingSchema, MOST_MODELS, MOST_PROVIDERS, type ModelSetting, type ModelSettings } from "@/lib/model-settings";
import { modelTestSchema, type ModelTest } from "@/lib/model-test";
import { getModelSecretName } from "@/lib/secrets/reference";
import { getPool, scopeToWorkspace } from "@/server/db/client";
import type { LedgerClient } from "@/server/store/runs/attempts";

const PROVIDER_COLUMNS = "id, kind, name, base_url, allow_local, key_version, revision";
const MODEL_COLUMNS = "model, allowed, price, defaults, revision";

/** Malformed providers cannot be called. */
const readProviders = (rows: readonly unknown[]): readonly Provider[] =>
  rows.flatMap((row) => {
    const parsed = providerSchema.safeParse(row);

    return parsed.success ? [parsed.data] : [];
  });

const nameOnly = z.object({ model: modelSettingSchema.shape.model });

const readModels = (rows: readonly unknown[]): readonly ModelSetting[] =>
  rows.flatMap((row) => {
    const parsed = modelSettingSchema.safeParse(row);
    if (parsed.success) return [parsed.data];
    const named = nameOnly.safeParse(row);

    return named.success ? [{ model: named.data.model, allowed: false, price: null, defaults: [], revision: 1 }] : [];
  });

/** Current settings. */
export const readModelSettings = async (client: LedgerClient, workspaceId: string): Promise<ModelSettings> => {
  const providers = await client.query(
    `select ${PROVIDER_COLUMNS} from model_provider where workspace_id = $1 order by created_at, id limit ${MOST_PROVIDERS}`,
    [workspaceId],
  );
  const models = await client.query(
    `select ${MODEL_COLUMNS} from model_setting where workspace_id = $1 order by model limit ${MOST_MODELS}`,
    [workspaceId],
  );

  return { providers: [...readProviders(providers.rows)], models: [...readModels(models.rows)] };
};

/** Reads for the runner. */
export const getModelSettingsForRunner = (workspaceId: string): Promise<ModelSettings> => readModelSettings(getPool(), workspaceId);

const testRow = z.object({ id: z.string(), test: modelTestSchema.nullable().catch(null) });

/** Reads with each provider's newest test. */
export const getModelSettings = async (
  workspaceId: string,
): Promise<{ readonly settings: ModelSettings; readonly tests: ReadonlyMap<string, ModelTest> }> => {
  const client = scopeToWorkspace(workspaceId);
  const where = { workspaceId };
  const providers = await client.modelProvider.findMany({ where, orderBy: [{ createdAt: "asc" }, { id: "asc" }], take: MOST_PROVIDERS });
  const models = await client.modelSetting.findMany({ where, orderBy: { model: "asc" }, take: MOST_MODELS });
  const tests = providers.map((row) => testRow.parse(row));

  return {
    settings: {
      providers: [
        ...readProviders(
          providers.map(({ id, kind, name, baseUrl, allowLocal, keyVersion, revision }) => ({
            id,
            kind,
            name,
            base_url: baseUrl,
            allow_local: allowLocal,
            key_version: keyVersion,
            revision,
          })),
        ),
      ],
      models: [
        ...readModels(models.map(({ model, allowed, price, defaults, revision }) => ({ model, allowed, price, defaults, revision }))),
      ],
    },
    tests: new Map(tests.flatMap(({ id, test }) => (test ? [[id, test] as const] : []))),
  };
};

const writeProvider = (client: LedgerClient, workspaceId: string, one: Provider) =>
  client.query(
    `insert into model_provider (workspace_id, ${PROVIDER_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (workspace_id, id) do update set name = excluded.name, base_url = excluded.base_url,
       allow_local = excluded.allow_local, key_version = excluded.key_version, revision = excluded.revision, changed_at = now()`,
    [workspaceId, one.id, one.kind, one.name, one.base_url, one.allow_local, one.key_version, one.revision],
  );

const writeModel = (client: LedgerClient, workspaceId: string, one: ModelSetting) =>
  client.query(
    `insert into model_setting (workspace_id, ${MODEL_COLUMNS}) values ($1, $2, $3, $4::jsonb, $5::text[], $6)
     on conflict (workspace_id, model) do update set allowed = excluded.allowed, price = excluded.price,
       defaults = excluded.defaults, revision = excluded.revision, changed_at = now()`,
    [workspaceId, one.model, one.allowed, one.price && JSON.stringify(one.price), one.defaults, one.revision],
  );

const differing = <T extends Json>(before: readonly T[], after: readonly T[]): readonly T[] => {
  const known = new Set(before.map((one) => toCanonicalJson(one)));

  return after.filter((one) => !known.has(toCanonicalJson(one)));
};

/** Writes the difference; a removed provider loses its key. */
export const writeModelSettings = async (
  client: LedgerClient,
  workspaceId: string,
  before: ModelSettings,
  after: ModelSettings,
): Promise<void> => {
  const goneProviders = before.providers.map(({ id }) => id).filter((id) => !after.providers.some((one) => one.id === id));
  const goneModels = before.models.map(({ model }) => model).filter((model) => !after.models.some((one) => one.model === model));
  await client.query("delete from model_provider where workspace_id = $1 and id = any($2::text[])", [workspaceId, goneProviders]);
  await client.query("delete from model_setting where workspace_id = $1 and model = any($2::text[])", [workspaceId, goneModels]);
  await client.query("delete from secret where workspace_id = $1 and name = any($2::text[])", [
    workspaceId,
    goneProviders.map(getModelSecretName),
  ]);
  for (const one of differing(before.providers, after.providers)) await writeProvider(client, workspaceId, one);
  for (const one of differing(before.models, after.models)) await writeModel(client, workspaceId, one);
};

type SealedKey = { readonly provider: string; readonly sealed: Uint8Array; readonly userId: string };

/** Writes in the same transaction. */
export const writeProviderKey = async (
  client: LedgerClient,
  workspaceId: string,
  { provider, sealed, userId }: SealedKey,
): Promise<void> => {
  await client.query(
    `insert into secret (workspace_id, name, sealed, created_by) values ($1, $2, $3, $4)
     on conflict (workspace_id, name) do update set sealed = excluded.sealed, version = secret.version + 1, rotated_at = now()`,
    [workspaceId, getModelSecretName(provider), Buffer.from(sealed), userId],
  );
};

/** Stores a test's outcome. */
export const storeModelTest = async (workspaceId: string, providerId: string, test: ModelTest): Promise<void> => {
  await getPool().query("update model_provider set test = $3::jsonb where workspace_id = $1 and id = $2", [
    workspaceId,
    providerId,
    JSON.stringify(test),
  ]);
};
