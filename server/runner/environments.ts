import { toEnvironmentChange } from "@/lib/admin-change";
import type { PolicySettings } from "@/lib/approval-policy/command";
import { computeVariablesDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { EnvironmentCommand } from "@/lib/environments/command";
import { decideEnvironments } from "@/lib/environments/decide";
import { getRunEnvironment, keepsPlace, type Environment } from "@/lib/environments/environment";
import type { RunEnvironment, Variables } from "@/lib/environments/variables";
import { hasVersion, type EnvironmentFold } from "@/lib/environments/environment-fold";
import { forgetEnvironmentKeys } from "@/lib/model-settings";
import type { RefusalCode } from "@/lib/refusal";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import { forgetPolicy, getDemandedApprovals, readGeneralPolicy, type DemandedApprovals } from "@/server/runner/approval-policy";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { verifySignedChange } from "@/server/runner/signed-change";
import { findVersion } from "@/server/runner/version";
import { writePolicyRow } from "@/server/store/approvals/policy";
import { readVariablesRow, removeVariablesRow, writeVariablesRow, type VariablesRow } from "@/server/store/environments";
import { removeSecretsOf } from "@/server/store/ledger/secrets";
import { listSecretsMissingFor } from "@/server/store/missing-secrets";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { projectLiveTriggers } from "@/server/store/triggers/live";
import { readModelSettings, writeModelSettings } from "@/server/store/workspaces/model-settings";
import type { AuthorityReader } from "@/server/store/trust/authority";

const digestOf = (row: VariablesRow | null) => row && computeVariablesDigest(row.variables);

export const readVariables = async (
  authority: AuthorityReader,
  workspaceId: string,
  id: string,
  inForce: WorkspaceAuthority,
): Promise<Variables> => {
  if (digestInForce(inForce, "environments", id) === null) return {};
  const row = await authority.confirm(workspaceId, "environments", id, () => readVariablesRow(workspaceId, id), digestOf);

  return row?.variables ?? {};
};

const findEnvironment = async (
  authority: AuthorityReader,
  workspaceId: string,
  { environment, hash, model }: { readonly environment: string | undefined; readonly hash: string; readonly model: string },
): Promise<RunEnvironment | null> => {
  const inForce = await authority.read(workspaceId);
  const { environments: fold } = inForce;
  const places = fold.list.map((one) => one.id).filter((one) => !fold.isSet || hasVersion(fold, one, hash));
  const id = environment ?? places.at(-1);
  if (id === undefined || !places.includes(id)) return null;

  const variables = await readVariables(authority, workspaceId, id, inForce);
  if (!fold.isSet) return { variables };
  const version = await findVersion(authority, workspaceId, hash);
  const missingSecrets = version ? await listSecretsMissingFor(workspaceId, { published: version.published, model }, id) : [];

  return { id, variables, ...(missingSecrets.length === 0 ? {} : { missingSecrets }) };
};

export type StartTerms = DemandedApprovals & { readonly env: RunEnvironment };

/** @throws ProjectionMismatch, AuthorityUnverified */
export const getStartTerms = async (
  authority: AuthorityReader,
  workspaceId: string,
  wanted: Parameters<typeof findEnvironment>[2],
): Promise<StartTerms | RefusalCode> => {
  const reading = readGeneralPolicy(authority, workspaceId);
  const [env] = await Promise.all([findEnvironment(authority, workspaceId, wanted), reading]);
  if (!env) return "environment_unknown";

  return { ...(await getDemandedApprovals(authority, workspaceId, getRunEnvironment({ environment: env.id }), reading)), env };
};

type Change = {
  readonly step: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly also: readonly RunEvent[];
  readonly policies: readonly { readonly environment: string; readonly settings: PolicySettings }[];
};

const decide = async (
  { authority }: RunnerDeps,
  workspaceId: string,
  by: Principal,
  asked: EnvironmentCommand,
  client: LedgerTransaction,
): Promise<Change | RefusalCode> => {
  const inForce = await authority.read(workspaceId, client);
  const { environments: fold } = inForce;
  const before = asked.kind === "environment_variables" ? digestInForce(inForce, "environments", asked.environment) : null;
  const refused = decideEnvironments(by, asked, { fold, before });
  if (refused) return refused;
  if (by.type !== "user") return "principal_not_allowed";
  const signed = await verifySignedChange(authority, workspaceId, by.id, toEnvironmentChange(asked), client);
  if (typeof signed === "string") return signed;
  if (asked.kind === "environment_variables") {
    const after = computeVariablesDigest(asked.variables);

    return { step: "variables_changed", subject: asked.environment, before, after, also: signed, policies: [] };
  }
  const { environments } = asked;
  const gone = fold.list.filter(({ id }) => !environments.some((kept) => kept.id === id));
  const forgotten = gone.flatMap(({ id: subject }): RunEvent[] => {
    const digest = digestInForce(inForce, "environments", subject);

    return digest === null ? [] : [{ type: "admin_changed", area: "environments", subject, step: "removed", before: digest, after: null }];
  });
  const moved = fold.list.filter(({ id }) => !keepsPlace(fold.list, environments, id));
  const lapsed = await Promise.all(
    moved.map(async ({ id: environment }) => {
      const found = await forgetPolicy(authority, workspaceId, environment);

      return found ? [{ environment, ...found }] : [];
    }),
  );
  const policies = lapsed.flat();
  const also: readonly RunEvent[] = [
    { type: "environments_changed", environments },
    ...forgotten,
    ...policies.map(({ event }) => event),
    ...signed,
  ];

  return { step: "listed", subject: workspaceId, before: null, after: null, also, policies };
};

const listIds = (environments: readonly Environment[]): string => environments.map(({ id }) => id).join(" ");

const project = async (
  tx: LedgerTransaction,
  workspaceId: string,
  asked: EnvironmentCommand,
  inForce: EnvironmentFold,
  { changedAt, changedBy }: Pick<VariablesRow, "changedAt" | "changedBy">,
): Promise<void> => {
  if (asked.kind === "environment_variables") {
    const { environment, variables } = asked;
    await writeVariablesRow(tx, { workspaceId, environment }, { variables, changedAt, changedBy });

    return;
  }
  if (listIds(asked.was) !== listIds(asked.environments)) await projectLiveTriggers(tx, workspaceId, inForce);
  const kept = new Set(asked.environments.map(({ id }) => id));
  const gone = asked.was.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  for (const id of gone) {
    await removeVariablesRow(tx, workspaceId, id);
    await removeSecretsOf(tx, workspaceId, id);
  }
  const models = await readModelSettings(tx, workspaceId);
  await writeModelSettings(tx, workspaceId, models, gone.reduce(forgetEnvironmentKeys, models));
};

/** @param author as of opening it */
export const carryOutEnvironments = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: EnvironmentCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const outcome = by ? await unlessUnproved(decide(deps, workspaceId, by, asked, client)) : "principal_not_allowed";
    const step = { area: "environments", by: by ?? author, commandId: id } as const;
    const refused = { step: asked.kind, subject: workspaceId, before: null, after: null } as const;
    const isRefused = typeof outcome === "string";

    return {
      sign: createAdminStepSigner(deps, workspaceId, isRefused ? { ...step, ...refused, refused: outcome } : { ...step, ...outcome }),
      project: async ({ at: changedAt, principal }) => {
        if (isRefused || principal.type !== "user") return;
        await project(client, workspaceId, asked, (await deps.authority.read(workspaceId, client)).environments, {
          changedAt,
          changedBy: principal.id,
        });
        for (const { environment, settings } of outcome.policies)
          await writePolicyRow(client, { workspaceId, environment }, settings, changedAt);
      },
    };
  });
  deps.notify(command.runId);
};
