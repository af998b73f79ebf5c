import { computeDirectoryUserDigest, computeIdentityDigest } from "@/lib/engine/ledger/settings-digests";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { decideNewcomer, decideProvisioned, decideSync, type Sync } from "@/lib/people/decide-directory";
import { readGroups } from "@/lib/people/directory";
import { getAddress, type DirectoryUser } from "@/lib/people/directory-user";
import type { ApproverFold } from "@/lib/people/approver-fold";
import type { Identity } from "@/lib/people/identity";
import type { SignInRefusal } from "@/lib/people/sign-in";
import type { RefusalCode } from "@/lib/refusal";
import type { HexDigest } from "@/lib/hash";
import { createAdminStepSigner, ENGINE } from "@/server/runner/admin-ledger";
import { planSync, projectSyncs, toSyncedEvent } from "@/server/runner/directory-sync";
import { allowFirstPasskey, listJoinSteps, type JoinDeps } from "@/server/runner/membership";
import { isDemo } from "@/server/store/people/principals";
import { insertAccount, insertIdentity, insertMembership, listTakenEmails } from "@/server/store/people/membership-changes";
import { readDirectoryUsers } from "@/server/store/people/directory-users";
import { appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import { isAuthorityError, ProjectionMismatch } from "@/server/store/trust/authority";
import { listAllWorkspaces } from "@/server/store/workspaces/log";

export type Claimed = {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly token: HexDigest;
};

const groupsOf = ({ directory: { inForce } }: ApproverFold, { claims }: Claimed): readonly string[] | null =>
  inForce && readGroups(claims, inForce.directory.claim);

type SignedSteps = readonly ReturnType<typeof createAdminStepSigner>[] | "groups_unreadable";

const readProvisioned = async (client: LedgerTransaction, records: WorkspaceAuthority, user: string): Promise<DirectoryUser | null> => {
  const digest = digestInForce(records, "directory", user);
  if (digest === null) return null;
  const row = (await readDirectoryUsers(client, records.workspace, [user])).get(user);

  if (!row || computeDirectoryUserDigest(row) !== digest) throw new ProjectionMismatch(records.workspace, "directory", user);

  return row;
};

/** Groups sent over SCIM decide, once there are any, instead of the token's. */
const decideAccess = async (
  client: LedgerTransaction,
  records: WorkspaceAuthority,
  user: string,
  claimed: Claimed,
): Promise<Sync | RefusalCode | "groups_unreadable" | null> => {
  const fold = records.approvers;
  const members = listMembersInForce(records);
  const provisioned = await readProvisioned(client, records, user);
  if (provisioned && (!provisioned.active || fold.directory.provision.groups.size > 0)) {
    return decideProvisioned(user, provisioned.active, { fold, members });
  }
  const hasPassword = provisioned === null && digestInForce(records, "passwords", user) !== null;
  if (fold.directory.inForce === null || hasPassword) return null;
  const groups = groupsOf(fold, claimed);

  return groups === null ? "groups_unreadable" : decideSync(user, groups, { fold, members, hasPassword });
};

const syncWithin = async (
  deps: JoinDeps,
  workspaceId: string,
  user: string,
  claimed: Claimed,
  client: LedgerTransaction,
): Promise<SignedSteps> => {
  const { authority, clock } = deps;
  const records = await authority.read(workspaceId, client);
  const sync = await decideAccess(client, records, user, claimed);
  if (sync === null) return [];
  if (sync === "groups_unreadable") return sync;
  const step = { area: "people", subject: user, by: ENGINE } as const;
  const planned = typeof sync === "string" ? sync : await planSync(client, records, { user, sync, token: claimed.token }, clock.now());
  if (typeof planned === "string") {
    return [createAdminStepSigner(deps, workspaceId, { ...step, step: "directory_synced", before: null, after: null, refused: planned })];
  }
  await projectSyncs(client, workspaceId, [planned], clock.now());

  return [createAdminStepSigner(deps, workspaceId, { ...step, ...planned.changed, also: planned.also })];
};

export const syncByToken = async (deps: JoinDeps, workspaceId: string, user: string, claimed: Claimed): Promise<SignInRefusal | null> => {
  let refusal: SignInRefusal | null = null;
  await appendOwnRecords(workspaceId, async (client) => {
    const synced = await syncWithin(deps, workspaceId, user, claimed, client);
    if (typeof synced !== "string") return synced;
    refusal = synced;

    return [];
  });

  return refusal;
};

const linkedStep = (subject: string, identity: Identity) =>
  ({ area: "identities", subject, step: "identity_linked", before: null, after: computeIdentityDigest(identity) }) as const;

type Newcomer = { readonly id: string; readonly name: string; readonly email: string; readonly identity: Identity };

const admitWithin = async (
  deps: JoinDeps,
  workspaceId: string,
  { id, name, email, identity }: Newcomer,
  claimed: Claimed,
  client: LedgerTransaction,
) => {
  const fold = (await deps.authority.read(workspaceId, client)).approvers;
  const groups = groupsOf(fold, claimed);
  const given = groups && decideNewcomer(id, groups, fold);
  if (!given || (await listTakenEmails(client, [email])).size > 0) return null;
  const { role, auditor } = given;
  const { member, also } = listJoinSteps(deps, { id, role, auditor, password_hash: null });
  await insertAccount(client, { id, name, email, password_hash: null, demo: false });
  await insertMembership(client, workspaceId, { id, role, auditor });
  await insertIdentity(client, identity, id);

  return createAdminStepSigner(deps, workspaceId, {
    ...member,
    by: ENGINE,
    also: [
      ...also,
      { type: "admin_changed", ...linkedStep(id, identity) },
      toSyncedEvent(fold, { user: id, sync: given, token: claimed.token }),
    ],
  });
};

const admitTo = async (deps: JoinDeps, workspaceId: string, newcomer: Newcomer, claimed: Claimed): Promise<boolean> => {
  let isAdmitted = false;
  try {
    if (await isDemo(deps.authority, workspaceId)) return false;
    await appendOwnRecords(workspaceId, async (client) => {
      const sign = await admitWithin(deps, workspaceId, newcomer, claimed, client);
      isAdmitted = sign !== null;

      return sign ? [sign] : [];
    });

    return isAdmitted;
  } catch (error) {
    if (isAuthorityError(error)) return false;
    throw error;
  }
};

/** The oldest workspace whose mapping admits them. */
export const admitNewcomer = async (deps: JoinDeps, newcomer: Newcomer, claimed: Claimed): Promise<boolean> => {
  for (const workspaceId of await listAllWorkspaces()) {
    if (await admitTo(deps, workspaceId, newcomer, claimed)) return true;
  }

  return false;
};

/** Links an active account that the directory made with this address. */
export const linkProvisioned = async (
  deps: JoinDeps,
  workspaceId: string,
  { id, email, identity }: Omit<Newcomer, "name">,
): Promise<boolean> => {
  let isLinked = false;
  try {
    await appendOwnRecords(workspaceId, async (client) => {
      const records = await deps.authority.read(workspaceId, client);
      const provisioned = await readProvisioned(client, records, id);
      if (!provisioned?.active || getAddress(provisioned) !== email) return [];
      if (digestInForce(records, "identities", id) !== null || digestInForce(records, "passwords", id) !== null) return [];
      await insertIdentity(client, identity, id);
      isLinked = true;

      return [createAdminStepSigner(deps, workspaceId, { ...linkedStep(id, identity), by: ENGINE, also: [allowFirstPasskey(deps, id)] })];
    });

    return isLinked;
  } catch (error) {
    if (isAuthorityError(error)) return false;
    throw error;
  }
};
