import {
  getDefaultApprovals,
  getPolicySubject,
  toOwnApprovals,
  UNSET_POLICY,
  type Approvals,
  type PolicyCommand,
  type PolicySettings,
} from "@/lib/approval-policy/command";
import { decidePolicy, describePolicyStep } from "@/lib/approval-policy/decide";
import type { Rule } from "@/lib/approval-rules/rule";
import type { AdminChanged } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import { computePolicyDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { isAllowed } from "@/lib/roles";
import { ownOrigin } from "@/server/own-origin";
import { createAdminStepSigner, ENGINE, type AdminSigning } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { readPolicyRow, writePolicyRow } from "@/server/store/approvals/policy";
import { appendDecided, appendOwnRecords } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { isDemo, getRoles } from "@/server/store/people/principals";

export type StandingPolicy = {
  readonly settings: PolicySettings;
  readonly inForce: Approvals;
  readonly general: Approvals | null;
};

const confirmSettings = async (authority: AuthorityReader, workspaceId: string, environment: string | null): Promise<PolicySettings> => {
  const subject = getPolicySubject(workspaceId, environment);
  const readRow = () => readPolicyRow(workspaceId, environment);

  return (await authority.confirm(workspaceId, "policy", subject, readRow, (row) => row && computePolicyDigest(row))) ?? UNSET_POLICY;
};

type GeneralPolicy = { readonly settings: PolicySettings; readonly inForce: Approvals; readonly records: WorkspaceAuthority };

/** @throws ProjectionMismatch, AuthorityUnverified */
export const readGeneralPolicy = async (authority: AuthorityReader, workspaceId: string): Promise<GeneralPolicy> => {
  const [settings, demo, records] = await Promise.all([
    confirmSettings(authority, workspaceId, null),
    isDemo(authority, workspaceId),
    authority.read(workspaceId),
  ]);

  return { settings, inForce: settings.approvals ?? getDefaultApprovals(ownOrigin(), demo), records };
};

/** @param environment null: all without their own @throws ProjectionMismatch, AuthorityUnverified */
export const getStandingPolicy = async (
  authority: AuthorityReader,
  workspaceId: string,
  environment: string | null = null,
  reading = readGeneralPolicy(authority, workspaceId),
): Promise<StandingPolicy> => {
  const { settings, inForce, records } = await reading;
  if (environment === null) return { settings, inForce, general: null };
  const isRecorded = digestInForce(records, "policy", getPolicySubject(workspaceId, environment)) !== null;
  const own = isRecorded ? await confirmSettings(authority, workspaceId, environment) : UNSET_POLICY;

  return { settings: own, inForce: own.approvals ?? inForce, general: inForce };
};

/** Admin changes reach all environments: the strictest holds. @throws ProjectionMismatch, AuthorityUnverified */
export const isDemandedAnywhere = async (authority: AuthorityReader, workspaceId: string): Promise<boolean> => {
  const { environments } = await authority.read(workspaceId);
  const places = [null, ...environments.list.map(({ id }) => id)];
  const standing = await Promise.all(places.map((place) => getStandingPolicy(authority, workspaceId, place)));

  return standing.some(({ inForce }) => inForce === "write");
};

/** Empty: the graph alone demands approvals. */
export type DemandedApprovals = { readonly approvals?: "write"; readonly rules?: readonly Rule[] };

/** @throws ProjectionMismatch, AuthorityUnverified */
export const getDemandedApprovals = async (
  authority: AuthorityReader,
  workspaceId: string,
  environment: string,
  reading = readGeneralPolicy(authority, workspaceId),
): Promise<DemandedApprovals> => {
  const { inForce } = await getStandingPolicy(authority, workspaceId, environment, reading);
  const { approvers } = (await reading).records;
  const { rules } = approvers;

  return { ...(inForce === "write" ? { approvals: inForce } : {}), ...(rules.size === 0 ? {} : { rules: [...rules.values()] }) };
};

const isAdmin = async (authority: AuthorityReader, workspaceId: string, userId: string): Promise<boolean> => {
  const role = (await getRoles(authority, workspaceId, [userId]))[userId];

  return role !== undefined && isAllowed(role, "people.manage");
};

const decide = async ({ authority }: RunnerDeps, workspaceId: string, by: Principal, asked: PolicyCommand) => {
  const standing = await getStandingPolicy(authority, workspaceId, asked.environment ?? null);
  const { passkeys, environments: fold } = await authority.read(workspaceId);
  const { request } = standing.settings;
  const isRequesterAdmin = request !== null && (await isAdmin(authority, workspaceId, request.by));
  const environments = fold.list.map(({ id }) => id);

  return decidePolicy(by, asked, { workspace: workspaceId, origin: ownOrigin(), environments, ...standing, passkeys, isRequesterAdmin });
};

/** @param author as of opening it */
export const carryOutPolicy = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: PolicyCommand): Promise<void> => {
  const { workspaceId, id } = command;
  const { environment = null } = asked;
  await appendDecided(workspaceId, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const outcome = by ? await unlessUnproved(decide(deps, workspaceId, by, asked)) : "principal_not_allowed";
    const isRefused = typeof outcome === "string";
    const step = { area: "policy", subject: getPolicySubject(workspaceId, environment), by: by ?? author, commandId: id } as const;

    return {
      sign: createAdminStepSigner(
        deps,
        workspaceId,
        isRefused
          ? {
              ...step,
              step: describePolicyStep(asked, author.type === "user" ? author.id : "", UNSET_POLICY),
              before: null,
              after: null,
              refused: outcome,
            }
          : {
              ...step,
              step: outcome.step,
              before: digestInForce(await deps.authority.read(workspaceId), "policy", step.subject),
              after: computePolicyDigest(outcome.after),
              also: outcome.also,
            },
      ),
      project: async ({ at }) => {
        if (!isRefused) await writePolicyRow(client, { workspaceId, environment }, outcome.after, at);
      },
    };
  });
  deps.notify(command.runId);
};

/** Ends a lowering, made for this place (`keepsPlace`); a demand stays. */
export const forgetPolicy = async (
  authority: AuthorityReader,
  workspaceId: string,
  environment: string,
): Promise<{ readonly settings: PolicySettings; readonly event: AdminChanged } | null> => {
  const { approvals, request } = await confirmSettings(authority, workspaceId, environment);
  if (approvals !== "graph" && request === null) return null;
  const subject = getPolicySubject(workspaceId, environment);
  const settings: PolicySettings = { approvals: approvals === "write" ? "write" : null, request: null };
  const before = digestInForce(await authority.read(workspaceId), "policy", subject);
  const after = computePolicyDigest(settings);

  return { settings, event: { type: "admin_changed", area: "policy", subject, step: "environment_changed", before, after } };
};

/** Sets the policy as the operator, without two admins. @throws ProjectionMismatch, AuthorityUnverified */
export const setPolicyAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspaceId: string,
  asked: Approvals,
  environment: string | null = null,
): Promise<boolean> => {
  let isChanged = false;
  await appendOwnRecords(workspaceId, async (client) => {
    const { settings, general } = await getStandingPolicy(authority, workspaceId, environment);
    const approvals = toOwnApprovals(asked, general);
    if (settings.approvals === approvals && settings.request === null) return [];
    isChanged = true;
    const after: PolicySettings = { approvals, request: null };
    await writePolicyRow(client, { workspaceId, environment }, after, signing.clock.now());
    const subject = getPolicySubject(workspaceId, environment);
    const step = { area: "policy", subject, step: "set_by_operator", by: ENGINE } as const;

    return [
      createAdminStepSigner(signing, workspaceId, {
        ...step,
        before: digestInForce(await authority.read(workspaceId), "policy", subject),
        after: computePolicyDigest(after),
      }),
    ];
  });

  return isChanged;
};
