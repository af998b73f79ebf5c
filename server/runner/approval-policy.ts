import { getDefaultApprovals, UNSET_POLICY, type Approvals, type PolicyCommand, type PolicySettings } from "@/lib/approval-policy/command";
import { decidePolicy, describePolicyStep } from "@/lib/approval-policy/decide";
import type { Rule } from "@/lib/approval-rules/rule";
import type { Principal } from "@/lib/engine/principal";
import { computePolicyDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
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

export type StandingPolicy = { readonly settings: PolicySettings; readonly inForce: Approvals };

/** @throws ProjectionMismatch, AuthorityUnverified */
export const getStandingPolicy = async (authority: AuthorityReader, workspaceId: string): Promise<StandingPolicy> => {
  const digestOf = (row: PolicySettings | null) => row && computePolicyDigest(row);
  const [row, demo] = await Promise.all([
    authority.confirm(workspaceId, "policy", workspaceId, () => readPolicyRow(workspaceId), digestOf),
    isDemo(authority, workspaceId),
  ]);
  const settings = row ?? UNSET_POLICY;

  return { settings, inForce: settings.approvals ?? getDefaultApprovals(ownOrigin(), demo) };
};

/** Empty: the graph alone demands approvals. */
export type DemandedApprovals = { readonly approvals?: "write"; readonly rules?: readonly Rule[] };

/** @throws ProjectionMismatch, AuthorityUnverified */
export const getDemandedApprovals = async (authority: AuthorityReader, workspaceId: string): Promise<DemandedApprovals> => {
  const [{ inForce }, { approvers }] = await Promise.all([getStandingPolicy(authority, workspaceId), authority.read(workspaceId)]);
  const { rules } = approvers;

  return { ...(inForce === "write" ? { approvals: inForce } : {}), ...(rules.size === 0 ? {} : { rules: [...rules.values()] }) };
};

const isAdmin = async (authority: AuthorityReader, workspaceId: string, userId: string): Promise<boolean> => {
  const role = (await getRoles(authority, workspaceId, [userId]))[userId];

  return role !== undefined && isAllowed(role, "people.manage");
};

const decide = async ({ authority }: RunnerDeps, workspaceId: string, by: Principal, asked: PolicyCommand) => {
  const { settings, inForce } = await getStandingPolicy(authority, workspaceId);
  const { passkeys } = await authority.read(workspaceId);
  const isRequesterAdmin = settings.request !== null && (await isAdmin(authority, workspaceId, settings.request.by));
  const decided = decidePolicy(by, asked, { workspace: workspaceId, origin: ownOrigin(), settings, inForce, passkeys, isRequesterAdmin });

  return typeof decided === "string" ? decided : { ...decided, before: settings };
};

/** @param author as of opening it */
export const carryOutPolicy = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: PolicyCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const outcome = by ? await unlessUnproved(decide(deps, workspaceId, by, asked)) : "principal_not_allowed";
    const isRefused = typeof outcome === "string";
    const step = { area: "policy", subject: workspaceId, by: by ?? author, commandId: id } as const;

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
              before: await digestBefore(deps.authority, workspaceId),
              after: computePolicyDigest(outcome.after),
              also: outcome.also,
            },
      ),
      project: async ({ at }) => {
        if (!isRefused) await writePolicyRow(client, workspaceId, outcome.after, at);
      },
    };
  });
  deps.notify(command.runId);
};

const digestBefore = async (authority: AuthorityReader, workspaceId: string) =>
  digestInForce(await authority.read(workspaceId), "policy", workspaceId);

/** Sets the policy as the operator, without two admins. @throws ProjectionMismatch, AuthorityUnverified */
export const setPolicyAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspaceId: string,
  approvals: Approvals,
): Promise<boolean> => {
  let isChanged = false;
  await appendOwnRecords(workspaceId, async (client) => {
    const { settings } = await getStandingPolicy(authority, workspaceId);
    if (settings.approvals === approvals && settings.request === null) return [];
    isChanged = true;
    const after: PolicySettings = { approvals, request: null };
    await writePolicyRow(client, workspaceId, after, signing.clock.now());
    const step = { area: "policy", subject: workspaceId, step: "set_by_operator", by: ENGINE } as const;

    return [
      createAdminStepSigner(signing, workspaceId, {
        ...step,
        before: await digestBefore(authority, workspaceId),
        after: computePolicyDigest(after),
      }),
    ];
  });

  return isChanged;
};
