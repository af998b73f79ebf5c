/** What each workspace can call: read before every call, so that what an admin takes away is gone with the next one. */
import { canonicalJson } from "@/lib/json";
import { originOf, providerOf, type Provider } from "@/lib/model-provider";
import { isAllowed, settingOf, type ModelSettings } from "@/lib/model-settings";
import { modelSecretName } from "@/lib/secrets/reference";
import type { Clock } from "@/server/clock";
import { createEgress, type Egress, type Resolve } from "@/server/security/egress";
import type { Vault } from "@/server/security/vault";
import { modelSettingsForRunner } from "@/server/store/model-settings";
import { sealedSecret } from "@/server/store/secrets";
import type { Models, ModelsFor } from "./contract";
import { openProviderKey } from "./own-key";
import { providerPolicy } from "./own-policy";
import { ownEntries } from "./own-providers";
import type { Entry } from "./providers";
import { modelsOf } from "./registry";

const MAX_ANSWER_BYTES = 16_777_216;
/** A model may think for long before it says anything; each call has a limit of its own. */
const HEAD_TIMEOUT_MS = 900_000;
/** Workspaces whose connections are kept. */
const MOST_KEPT = 200;

type Kept = { readonly settings: string; readonly models: Models; readonly close: () => Promise<void> };

type Options = {
  readonly installation: ReadonlyMap<string, Entry>;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
};

export type WorkspaceModels = { readonly modelsFor: ModelsFor; readonly close: () => Promise<void> };

/** No redirects, which would carry the key elsewhere. */
const fetchOf = (egress: Egress): typeof fetch => {
  const guarded: Egress["fetch"] = (input, init) => egress.fetch(input, { ...init, redirect: "error" });

  // undici's types and the DOM's describe the same fetch, but not assignably so; the SDK uses what both have.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return guarded as unknown as typeof fetch;
};

export const createWorkspaceModels = ({ installation, vault, clock, resolve }: Options): WorkspaceModels => {
  const kept = new Map<string, Kept>();

  const keyOf = async (workspaceId: string, provider: Provider): Promise<string | null> => {
    const origin = originOf(provider);
    const found = provider.key_version > 0 && origin !== null ? await sealedSecret(workspaceId, modelSecretName(provider.id)) : null;

    return found && origin !== null ? openProviderKey(vault, { workspaceId, provider: provider.id, origin }, found.sealed) : null;
  };

  const build = async (workspaceId: string, settings: ModelSettings): Promise<Omit<Kept, "settings">> => {
    const opened: Egress[] = [];
    const unusable = new Set<string>();
    const own: Entry[] = [];
    for (const provider of settings.providers) {
      const egress = createEgress({
        policy: providerPolicy(provider),
        headTimeoutMs: HEAD_TIMEOUT_MS,
        maxResponseBytes: MAX_ANSWER_BYTES,
        ...(resolve ? { resolve } : {}),
      });
      opened.push(egress);
      const entries = ownEntries(provider, settings.models, { key: await keyOf(workspaceId, provider), fetch: fetchOf(egress) });
      if (entries) own.push(...entries);
      else unusable.add(provider.id);
    }
    const priced = [...installation.values()].map((entry): Entry => {
      const price = entry.info.scripted ? null : settingOf(settings, entry.info.id)?.price;

      return price ? { ...entry, tariff: { override: price } } : entry;
    });
    const refused = (id: string) => {
      if (!isAllowed(settings, id)) return "model_not_allowed";

      return unusable.has(providerOf(id)) ? "model_unusable" : null;
    };

    return {
      models: modelsOf(new Map([...priced, ...own].map((entry) => [entry.info.id, entry])), refused, clock),
      close: async () => {
        await Promise.all(opened.map((egress) => egress.close()));
      },
    };
  };

  /** Calls under way end by themselves, over connections that close when nobody uses them: only the next call is another. */
  const keep = (workspaceId: string, next: Kept): void => {
    kept.delete(workspaceId);
    kept.set(workspaceId, next);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  return {
    modelsFor: async (workspaceId) => {
      const settings = await modelSettingsForRunner(workspaceId);
      const text = canonicalJson(settings);
      const known = kept.get(workspaceId);
      if (known?.settings === text) return known.models;
      const built = { ...(await build(workspaceId, settings)), settings: text };
      keep(workspaceId, built);

      return built.models;
    },
    close: async () => {
      await Promise.all([...kept.values()].map(({ close }) => close()));
      kept.clear();
    },
  };
};
