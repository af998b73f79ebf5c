import { z } from "zod";
import { idSchema } from "@/lib/ids";
import type { Json } from "@/lib/json";
import { MODEL_USES } from "@/lib/model-info";
import { priceOverrideSchema } from "@/lib/model-price";
import {
  isScripted,
  modelIdSchema,
  getOrigin,
  providerFieldsSchema,
  providerIdSchema,
  providerKeySchema,
  getProvider,
  providerSchema,
  withEnvironmentKeys,
  type Provider,
} from "@/lib/model-provider";
import { isOwnModel, MOST_MODELS, MOST_PROVIDERS, findSetting, type ModelSetting, type ModelSettings } from "@/lib/model-settings";

/** 0: unconfigured. */
const revision = z.number().int().min(0);

export const modelChangeSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("add_provider"),
    provider: z.strictObject({ ...providerFieldsSchema.shape, id: providerIdSchema, kind: providerSchema.shape.kind }),
    key: providerKeySchema.nullable(),
  }),
  z.strictObject({
    type: z.literal("edit_provider"),
    id: providerIdSchema,
    revision,
    fields: providerFieldsSchema,
    /** Null: keeps the key. */
    key: providerKeySchema.nullable(),
  }),
  /** Null: removes it. */
  z.strictObject({
    type: z.literal("set_environment_key"),
    id: providerIdSchema,
    revision,
    environment: idSchema,
    key: providerKeySchema.nullable(),
  }),
  z.strictObject({ type: z.literal("remove_provider"), id: providerIdSchema, revision }),
  z.strictObject({ type: z.literal("add_model"), model: modelIdSchema }),
  z.strictObject({ type: z.literal("remove_model"), model: modelIdSchema, revision }),
  z.strictObject({ type: z.literal("allow_model"), model: modelIdSchema, revision, allowed: z.boolean() }),
  z.strictObject({ type: z.literal("set_price"), model: modelIdSchema, revision, price: priceOverrideSchema.nullable() }),
  /** Null: none. */
  z.strictObject({ type: z.literal("set_default"), use: z.enum(MODEL_USES), model: modelIdSchema.nullable() }),
  /** Without user data. */
  z.strictObject({ type: z.literal("test"), model: modelIdSchema }),
]);
export type ModelChange = z.infer<typeof modelChangeSchema>;

/** Run id `getWorkspaceLedgerId`. */
export const modelsCommandSchema = z.strictObject({ kind: z.literal("models_step"), change: modelChangeSchema });
export type ModelsCommand = z.infer<typeof modelsCommandSchema>;

export const getSubject = (change: ModelChange): string => {
  switch (change.type) {
    case "add_provider":
      return change.provider.id;
    case "edit_provider":
    case "set_environment_key":
    case "remove_provider":
      return change.id;
    case "set_default":
      return change.model ?? change.use;
    case "add_model":
    case "remove_model":
    case "allow_model":
    case "set_price":
    case "test":
      return change.model;
    default:
      return change satisfies never;
  }
};

const STEPS = {
  add_provider: "provider_added",
  edit_provider: "provider_changed",
  set_environment_key: "environment_key_set",
  remove_provider: "provider_removed",
  add_model: "model_added",
  remove_model: "model_removed",
  allow_model: "model_allowed",
  set_price: "price_set",
  set_default: "default_set",
  test: "model_tested",
} as const satisfies Record<ModelChange["type"], string>;

export const getStep = (change: ModelChange): string => {
  if (change.type === "edit_provider" && change.key !== null) return "provider_key_replaced";
  if (change.type === "set_environment_key" && change.key === null) return "environment_key_removed";
  if (change.type === "allow_model" && !change.allowed) return "model_disallowed";
  if (change.type === "set_price" && change.price === null) return "price_removed";

  return STEPS[change.type];
};

export type ChangeFault =
  | "gone"
  | "taken"
  | "stale"
  | "limit"
  | "unknown_provider"
  | "unknown_model"
  | "not_allowed"
  | "address_missing"
  | "local_without_address"
  | "key_needed"
  | "unknown_environment"
  | "environment_keys_stored"
  | "key_absent"
  | "always_there";

/** Content of the record's digests. */
export type Changed = { readonly settings: ModelSettings; readonly before: Json; readonly after: Json };
type Outcome = ({ readonly ok: true } & Changed) | { readonly ok: false; readonly fault: ChangeFault };

const fault = (code: ChangeFault): Outcome => ({ ok: false, fault: code });
const changed = (settings: ModelSettings, before: Json, after: Json): Outcome => ({ ok: true, settings, before, after });

const addressFault = ({
  kind,
  base_url: url,
  allow_local: local,
}: Pick<Provider, "kind" | "base_url" | "allow_local">): ChangeFault | null => {
  if (url === null && kind === "openai-compatible") return "address_missing";

  return url === null && local ? "local_without_address" : null;
};

const withProvider = (settings: ModelSettings, provider: Provider): ModelSettings => ({
  ...settings,
  providers: [...settings.providers.filter(({ id }) => id !== provider.id), provider],
});

const withModel = (settings: ModelSettings, setting: ModelSetting): ModelSettings => ({
  ...settings,
  models: [...settings.models.filter(({ model }) => model !== setting.model), setting],
});

type Of<T extends ModelChange["type"]> = Extract<ModelChange, { type: T }>;

const addProvider = (settings: ModelSettings, { provider, key }: Of<"add_provider">): Outcome => {
  if (settings.providers.some(({ id }) => id === provider.id)) return fault("taken");
  if (settings.providers.length >= MOST_PROVIDERS) return fault("limit");
  const wrong = addressFault(provider);
  if (wrong) return fault(wrong);
  const added: Provider = { ...provider, key_version: key === null ? 0 : 1, revision: 1 };

  return changed(withProvider(settings, added), null, added);
};

/** A key belongs to one address. */
const editProvider = (settings: ModelSettings, change: Of<"edit_provider">): Outcome => {
  const before = settings.providers.find(({ id }) => id === change.id);
  if (!before) return fault("gone");
  if (before.revision !== change.revision) return fault("stale");
  const edited: Provider = {
    ...before,
    ...change.fields,
    key_version: before.key_version + (change.key === null ? 0 : 1),
    revision: before.revision + 1,
  };
  const wrong = addressFault(edited);
  if (wrong) return fault(wrong);
  const isMoved = getOrigin(before) !== getOrigin(edited);
  if (isMoved && before.environment_keys) return fault("environment_keys_stored");
  if (isMoved && change.key === null && before.key_version > 0) return fault("key_needed");

  return changed(withProvider(settings, edited), before, edited);
};

const setEnvironmentKey = (
  settings: ModelSettings,
  { id, revision: seen, environment, key }: Of<"set_environment_key">,
  environments: ReadonlySet<string>,
): Outcome => {
  const before = settings.providers.find((provider) => provider.id === id);
  if (!before) return fault("gone");
  if (before.revision !== seen) return fault("stale");
  if (!environments.has(environment)) return fault("unknown_environment");
  const { environment_keys: keys = [] } = before;
  if (key === null && !keys.includes(environment)) return fault("key_absent");
  const others = keys.filter((one) => one !== environment);
  const after = withEnvironmentKeys(before, key === null ? others : [...others, environment]);

  return changed(withProvider(settings, after), before, after);
};

const removeProvider = (settings: ModelSettings, change: Of<"remove_provider">): Outcome => {
  const before = settings.providers.find(({ id }) => id === change.id);
  if (!before) return fault("gone");
  if (before.revision !== change.revision) return fault("stale");
  const left = {
    providers: settings.providers.filter(({ id }) => id !== change.id),
    models: settings.models.filter(({ model }) => getProvider(model) !== change.id),
  };

  return changed(left, before, null);
};

const addModel = (settings: ModelSettings, { model }: Of<"add_model">): Outcome => {
  if (!isOwnModel(settings, model)) return fault("unknown_provider");
  if (findSetting(settings, model)) return fault("taken");
  if (settings.models.length >= MOST_MODELS) return fault("limit");
  const added: ModelSetting = { model, allowed: true, price: null, defaults: [], revision: 1 };

  return changed(withModel(settings, added), null, added);
};

const current = (
  settings: ModelSettings,
  { model, revision: seen }: { readonly model: string; readonly revision: number },
  installation: ReadonlySet<string>,
): ModelSetting | ChangeFault => {
  if (isScripted(model)) return "always_there";
  const setting = findSetting(settings, model);
  if (setting) return setting.revision === seen ? setting : "stale";
  if (!installation.has(model)) return "unknown_model";
  if (settings.models.length >= MOST_MODELS) return "limit";

  return seen === 0 ? { model, allowed: true, price: null, defaults: [], revision: 0 } : "stale";
};

const replaced = (settings: ModelSettings, before: ModelSetting, part: Partial<ModelSetting>): Outcome => {
  const after = { ...before, ...part, revision: before.revision + 1 };

  return changed(withModel(settings, after), before.revision === 0 ? null : before, after);
};

const setDefault = (settings: ModelSettings, change: Of<"set_default">, installation: ReadonlySet<string>): Outcome => {
  const { use, model } = change;
  const without = settings.models.map((each) =>
    each.defaults.includes(use) ? { ...each, defaults: each.defaults.filter((one) => one !== use), revision: each.revision + 1 } : each,
  );
  const before = { use, model: settings.models.find(({ defaults }) => defaults.includes(use))?.model ?? null };
  if (model === null) return changed({ ...settings, models: without }, before, { use, model });
  const setting = without.find((each) => each.model === model);
  if (!setting && !installation.has(model)) return fault("unknown_model");
  if (!setting && without.length >= MOST_MODELS) return fault("limit");
  const found: ModelSetting = setting ?? { model, allowed: true, price: null, defaults: [], revision: 0 };
  if (!found.allowed) return fault("not_allowed");
  const chosen = { ...found, defaults: [...found.defaults, use], revision: found.revision + 1 };

  return changed(withModel({ ...settings, models: without }, chosen), before, { use, model });
};

/** Ids in force: of the installation's models, scripted included, and of the workspace's environments. */
export type KnownIds = { readonly models: ReadonlySet<string>; readonly environments: ReadonlySet<string> };

export const changeModels = (settings: ModelSettings, change: ModelChange, { models: installation, environments }: KnownIds): Outcome => {
  switch (change.type) {
    case "add_provider":
      return addProvider(settings, change);
    case "edit_provider":
      return editProvider(settings, change);
    case "set_environment_key":
      return setEnvironmentKey(settings, change, environments);
    case "remove_provider":
      return removeProvider(settings, change);
    case "add_model":
      return addModel(settings, change);
    case "remove_model": {
      if (!isOwnModel(settings, change.model)) return fault("unknown_model");
      const before = current(settings, change, new Set());
      if (typeof before === "string") return fault(before);

      return changed({ ...settings, models: settings.models.filter(({ model }) => model !== change.model) }, before, null);
    }
    case "allow_model": {
      const before = current(settings, change, installation);
      if (typeof before === "string") return fault(before);

      return replaced(settings, before, { allowed: change.allowed, ...(change.allowed ? {} : { defaults: [] }) });
    }
    case "set_price": {
      const before = current(settings, change, installation);

      return typeof before === "string" ? fault(before) : replaced(settings, before, { price: change.price });
    }
    case "set_default":
      return setDefault(settings, change, installation);
    case "test": {
      const setting = findSetting(settings, change.model);

      return setting && isOwnModel(settings, change.model) ? changed(settings, setting, setting) : fault("unknown_model");
    }
    default:
      return change satisfies never;
  }
};
