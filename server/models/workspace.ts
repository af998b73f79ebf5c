/** Callable models, read before every call, so that removals apply from the next one. */
import { toCanonicalJson } from "@/lib/json";
import { findKeyScope, getOrigin, getProvider, type Provider } from "@/lib/model-provider";
import { isAllowed, findSetting, type ModelSettings } from "@/lib/model-settings";
import { getModelSecretName } from "@/lib/secrets/reference";
import type { Clock } from "@/server/clock";
import type { Vault } from "@/server/security/vault";
import { getModelSettingsForRunner } from "@/server/store/workspaces/model-settings";
import { sealedSecret } from "@/server/store/ledger/secrets";
import type { Circuits } from "./circuits";
import type { ModelCall, Models, ModelsFor, NoteSaid, RawAnswer } from "./contract";
import { openProviderKey } from "./own-key";
import { ownEntries } from "./own-providers";
import type { Entry } from "./providers";
import { toModels } from "./registry";

const MOST_KEPT = 200;

type Kept = { readonly settings: string; readonly models: Models };

type Options = {
  readonly installation: ReadonlyMap<string, Entry>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly call: CallModelOf;
  readonly circuits: Circuits;
};

/** Calls a model. @throws ModelError, or the signal's reason */
export type CallModelOf = (workspaceId: string, call: ModelCall, signal: AbortSignal, note?: NoteSaid) => Promise<RawAnswer>;

export const createWorkspaceModels = ({ installation, vault, clock, call, circuits }: Options): ModelsFor => {
  const kept = new Map<string, Kept>();

  const keyOf = async (workspaceId: string, provider: Provider, environment: string | null): Promise<string | null> => {
    const origin = getOrigin(provider);
    if (origin === null || (environment === null && provider.key_version === 0)) return null;
    const found = await sealedSecret(workspaceId, getModelSecretName(provider.id), environment);

    // Sealed for its environment: another's doesn't open.
    return found && openProviderKey(vault, { workspaceId, provider: provider.id, origin, environment }, found.sealed);
  };

  const build = async (workspaceId: string, settings: ModelSettings, environment: string | null): Promise<Models> => {
    const unusable = new Set<string>();
    const scopes = new Map(settings.providers.map((provider) => [provider.id, findKeyScope(provider, environment)]));
    const own: Entry[] = [];
    for (const provider of settings.providers) {
      const entries = ownEntries(provider, settings.models, await keyOf(workspaceId, provider, scopes.get(provider.id) ?? null));
      if (entries) own.push(...entries);
      else unusable.add(provider.id);
    }
    const priced = [...installation.values()].map((entry): Entry => {
      const price = entry.info.scripted ? null : findSetting(settings, entry.info.id)?.price;

      return price ? { ...entry, tariff: { override: price } } : entry;
    });
    const refused = (id: string) => {
      if (!isAllowed(settings, id)) return "model_not_allowed";

      return unusable.has(getProvider(id)) ? "model_unusable" : null;
    };

    return toModels({
      entries: new Map([...priced, ...own].map((entry) => [entry.info.id, entry])),
      refused,
      clock,
      call: (asked, signal, note) => {
        const provider = getProvider(asked.request.model);

        return circuits.guard({ workspaceId, provider, environment: scopes.get(provider) ?? null }, () =>
          call(workspaceId, asked, signal, note),
        );
      },
    });
  };

  /** Calls under way finish; only later ones change. */
  const keep = (place: string, next: Kept): void => {
    kept.delete(place);
    kept.set(place, next);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  return async (workspaceId, environment = null) => {
    const settings = await getModelSettingsForRunner(workspaceId);
    const text = toCanonicalJson(settings);
    const place = `${workspaceId} ${environment ?? ""}`;
    const known = kept.get(place);
    if (known?.settings === text) return known.models;
    const built = { models: await build(workspaceId, settings, environment), settings: text };
    keep(place, built);

    return built.models;
  };
};
