import { getProvider, getOrigin, getBaseUrl, type Provider } from "@/lib/model-provider";
import { findSetting, type ModelSettings } from "@/lib/model-settings";
import type { ModelTest } from "@/lib/model-test";
import { isAllowed, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { listOfferedModels, type ListedModel } from "@/server/models/listing";
import { checkProviderUrl } from "@/server/models/own-policy";
import { PRICE_LIST } from "@/server/models/price";
import { listModels } from "@/server/store/health";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { listProviderCircuits, type ProviderCircuit } from "@/server/store/workspaces/provider-circuits";
import { readAuthority } from "@/server/web/authority";
import { createProcedure } from "@/server/trpc/init";

/** A path can be a secret, so non-managers see the host only. */
const providerView = (role: Role, provider: Provider, test: ModelTest | null) => {
  const { id, kind, name, key_version, environment_keys: keyEnvironments = [], revision } = provider;
  const isManager = isAllowed(role, "model.manage");

  return {
    id,
    kind,
    name,
    /** As entered; null: the kind's default. */
    baseUrl: isManager ? provider.base_url : null,
    address: isManager ? getBaseUrl(provider) : getOrigin(provider),
    allowLocal: provider.allow_local,
    hasKey: key_version > 0,
    keyEnvironments,
    /** False: could not have been entered like this. */
    usable: checkProviderUrl(provider).ok && (kind === "openai-compatible" || key_version > 0 || keyEnvironments.length > 0),
    revision,
    test,
  };
};
export type ProviderView = ReturnType<typeof providerView>;

const modelView = (settings: ModelSettings, model: ListedModel) => {
  const setting = findSetting(settings, model.id);

  return { ...model, provider: getProvider(model.id), override: setting?.price ?? null, revision: setting?.revision ?? 0 };
};
export type ModelView = ReturnType<typeof modelView>;

export type Circuit = ProviderCircuit;

/** Excludes keys. */
export const modelsSettings = createProcedure("model.read").query(async ({ ctx }) => {
  const [installation, { settings, tests }, circuits, { environments }] = await Promise.all([
    listModels(),
    getModelSettings(ctx.workspaceId),
    listProviderCircuits(ctx.workspaceId),
    readAuthority(ctx.workspaceId),
  ]);

  return {
    circuits,
    environments: environments.list,
    providers: settings.providers.map((provider) => providerView(ctx.role, provider, tests.get(provider.id) ?? null)),
    models: listOfferedModels(installation, settings, systemClock.now()).map((model) => modelView(settings, model)),
    priceList: PRICE_LIST,
    hasRunner: installation.length > 0,
  };
});
