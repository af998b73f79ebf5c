import { digestOf } from "@/lib/hash";
import type { Json } from "@/lib/json";
import { getStep, getSubject, type KnownIds, type ModelChange, type ModelsCommand } from "@/lib/model-change";
import { getOrigin } from "@/lib/model-provider";
import type { ModelSettings } from "@/lib/model-settings";
import type { Principal } from "@/lib/engine/principal";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { log } from "@/server/log";
import { decideModelChange, applyProviderChange } from "@/server/models/decide-change";
import { sealProviderKey } from "@/server/models/own-key";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { testModel } from "@/server/runner/model-test";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { readModelSettings, removeProviderKey, writeModelSettings, writeProviderKey } from "@/server/store/workspaces/model-settings";

const digest = (settings: Json) => (settings === null ? null : digestOf("settings", settings));

const keepKey = async (
  deps: RunnerDeps,
  client: LedgerTransaction,
  workspaceId: string,
  { change, after, userId }: { readonly change: ModelChange; readonly after: ModelSettings; readonly userId: string },
): Promise<void> => {
  const provider = applyProviderChange(after, change);
  const origin = provider && getOrigin(provider);
  if (!("key" in change) || !provider || origin === null) return;
  const { key } = change;
  const place = { workspaceId, provider: provider.id, environment: change.type === "set_environment_key" ? change.environment : null };
  if (key !== null) await writeProviderKey(client, place, { sealed: sealProviderKey(deps.vault, { ...place, origin }, key), userId });
  else if (place.environment !== null) await removeProviderKey(client, place);
};

type Outcome = { readonly settings: ModelSettings; readonly before: Json; readonly after: Json } | RefusalCode;

const outcomeOf = (by: Principal | null, change: ModelChange, settings: ModelSettings, known: KnownIds): Outcome => {
  if (by?.type !== "user") return "principal_not_allowed";
  if (!isAllowed(by.role, "model.manage")) return "role_missing";
  const decided = decideModelChange(settings, change, known);
  if (decided.ok) return decided;

  return decided.fault === "gone" ? "not_found" : "step_refused";
};

export const carryOutModels = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  { change }: ModelsCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  const models = new Set((await deps.modelsFor(workspaceId)).list().map((model) => model.id));
  let accepted: number | null = null;
  await appendDecided(workspaceId, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const settings = await readModelSettings(client, workspaceId);
    const { environments } = await deps.authority.read(workspaceId, client);
    const outcome = outcomeOf(by, change, settings, { models, environments: new Set(environments.list.map((one) => one.id)) });
    const digests =
      typeof outcome === "string"
        ? { before: null, after: null, refused: outcome }
        : { before: digest(outcome.before), after: digest(outcome.after) };

    return {
      sign: createAdminStepSigner(deps, workspaceId, {
        area: "models",
        subject: getSubject(change),
        step: getStep(change),
        ...digests,
        by: by ?? author,
        commandId: id,
      }),
      project: async ({ seq }) => {
        if (typeof outcome === "string" || by?.type !== "user") return;
        await writeModelSettings(client, workspaceId, settings, outcome.settings);
        await keepKey(deps, client, workspaceId, { change, after: outcome.settings, userId: by.id });
        accepted = seq;
      },
    };
  });
  deps.notify(command.runId);
  if (accepted === null || change.type !== "test") return;
  // Other commands must not wait for the provider.
  testModel(deps, { workspaceId, record: accepted, model: change.model }).catch((error: unknown) => {
    log().warn({ error: String(error) }, "what came of a test call was not kept");
  });
};
