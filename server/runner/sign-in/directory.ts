import type { RunEvent } from "@/lib/engine/event";
import { computeIdentityDigest, computeMemberDigest } from "@/lib/engine/ledger/settings-digests";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { decideNewcomer, decideSync, type Sync } from "@/lib/people/decide-directory";
import { readGroups } from "@/lib/people/directory";
import type { ApproverFold } from "@/lib/people/approver-fold";
import type { Identity } from "@/lib/people/identity";
import type { SignInRefusal } from "@/lib/people/sign-in";
import type { HexDigest } from "@/lib/hash";
import { createAdminStepSigner, ENGINE } from "@/server/runner/admin-ledger";
import { endSessionsOf } from "@/server/runner/ended-sessions";
import { listJoinSteps, type JoinDeps } from "@/server/runner/membership";
import { isDemo } from "@/server/store/people/principals";
import { insertAccount, insertIdentity, insertMembership, listTakenEmails } from "@/server/store/people/membership-changes";
import { endSessions } from "@/server/store/people/session-endings";
import { changeStanding } from "@/server/store/people/changes";
import { appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import { isAuthorityError } from "@/server/store/trust/authority";
import { listAllWorkspaces } from "@/server/store/workspaces/log";

export type Claimed = {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly token: HexDigest;
};

const groupsOf = ({ directory: { inForce } }: ApproverFold, { claims }: Claimed): readonly string[] | null =>
  inForce && readGroups(claims, inForce.directory.claim);

const syncedEvent = (
  user: string,
  { directory }: ApproverFold,
  token: HexDigest,
  { given, joins, leaves }: Sync,
): Extract<RunEvent, { type: "directory_synced" }> => ({
  type: "directory_synced",
  user,
  mapping: directory.inForce?.seq ?? 0,
  token,
  given,
  joins: [...joins],
  leaves: [...leaves],
});

type Synced = readonly ReturnType<typeof createAdminStepSigner>[] | "groups_unreadable";

const syncWithin = async (
  deps: JoinDeps,
  workspaceId: string,
  user: string,
  claimed: Claimed,
  client: LedgerTransaction,
): Promise<Synced> => {
  const { authority, clock } = deps;
  const records = await authority.read(workspaceId, client);
  const fold = records.approvers;
  const hasPassword = digestInForce(records, "passwords", user) !== null;
  if (fold.directory.inForce === null || hasPassword) return [];
  const groups = groupsOf(fold, claimed);
  if (groups === null) return "groups_unreadable";
  const sync = decideSync(user, groups, { fold, members: listMembersInForce(records), hasPassword });
  if (sync === null) return [];
  const step = { area: "people", subject: user, by: ENGINE } as const;
  const before = digestInForce(records, "people", user);
  if (typeof sync === "string") {
    return [createAdminStepSigner(deps, workspaceId, { ...step, step: "directory_synced", before: null, after: null, refused: sync })];
  }
  const ending = { userId: user, session: null, keep: null };
  const at = clock.now();
  const ended = sync.given ? [] : await endSessionsOf(client, records, ending, at);
  if (typeof ended === "string") return [];
  await changeStanding(client, workspaceId, user, sync, at);
  if (!sync.given) await endSessions(client, workspaceId, ending, at);

  return [
    createAdminStepSigner(deps, workspaceId, {
      ...step,
      step: sync.given ? "directory_synced" : "directory_disabled",
      before,
      after: computeMemberDigest(sync, sync.disabled),
      also: [syncedEvent(user, fold, claimed.token, sync), ...ended],
    }),
  ];
};

/** Syncs a member's access with the token's groups. @throws AuthorityUnverified */
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
  const linked = {
    area: "identities",
    subject: id,
    step: "identity_linked",
    before: null,
    after: computeIdentityDigest(identity),
  } as const;

  return createAdminStepSigner(deps, workspaceId, {
    ...member,
    by: ENGINE,
    also: [...also, { type: "admin_changed", ...linked }, syncedEvent(id, fold, claimed.token, given)],
  });
};

const admitTo = async (deps: JoinDeps, workspaceId: string, newcomer: Newcomer, claimed: Claimed): Promise<boolean> => {
  let isAdmitted = false;
  try {
    // Any local user is admin of a demo.
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
