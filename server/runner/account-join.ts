import type { AdminChanged } from "@/lib/engine/events/workspace";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import {
  computeIdentityDigest,
  computeInviteDigest,
  computePasswordDigest,
  computeWorkspaceDigest,
} from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { HexDigest } from "@/lib/hash";
import { isAllowed } from "@/lib/roles";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import { changed, findInviteInForce, listJoinSteps, Refused, type JoinDeps } from "@/server/runner/membership";
import { isDemo } from "@/server/store/people/principals";
import * as changes from "@/server/store/people/membership-changes";
import { appendOwnRecord, appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import { ProjectionMismatch } from "@/server/store/trust/authority";

export type SignedInAccount = {
  readonly userId: string;
  /** The session's workspace. */
  readonly from: string;
};

const MOST_WORKSPACES = 100;

type Brought = Awaited<ReturnType<typeof changes.readAccount>>;

/** Returns what is on record, as a changed row must not become a record here. */
const readAccount = async ({ authority }: JoinDeps, client: LedgerTransaction, { userId, from }: SignedInAccount): Promise<Brought> => {
  const account = await changes.readAccount(client, userId);
  const { passwordHash, identity } = account;
  const records = await authority.read(from, client);
  const claims = [
    ["passwords", computePasswordDigest(passwordHash)],
    ["identities", identity && computeIdentityDigest(identity)],
  ] as const;
  for (const [area, digest] of claims) {
    if (digestInForce(records, area, userId) !== digest) throw new ProjectionMismatch(from, area, userId);
  }
  const { length } = await changes.listMemberships(client, userId);
  if (account.demo || length >= MOST_WORKSPACES || (await isDemo(authority, from))) throw new Refused("principal_not_allowed");

  return account;
};

type Standing = { readonly role: changes.FoundInvite["role"]; readonly auditor: boolean };

const listSteps = (deps: JoinDeps, id: string, { role, auditor }: Standing, { passwordHash, identity }: Brought) => {
  const { member, also } = listJoinSteps(deps, { id, role, auditor, password_hash: passwordHash });
  const linked = identity ? [changed("identities", id, "identity_linked", computeIdentityDigest(identity))] : [];

  return { member, also: [...also, ...linked] };
};

const joinWithin = async (
  deps: JoinDeps,
  client: LedgerTransaction,
  workspaceId: string,
  account: SignedInAccount,
  hash: HexDigest,
): Promise<ReturnType<typeof createAdminStepSigner>> => {
  const { userId } = account;
  const invite = await findInviteInForce(deps, client, workspaceId, { hash });
  const brought = await readAccount(deps, client, account);
  if (invite.email !== brought.email || (await isDemo(deps.authority, workspaceId))) throw new Refused("not_found");
  const memberships = await changes.listMemberships(client, userId);
  if (memberships.some((membership) => membership.workspaceId === workspaceId)) throw new Refused("person_known");
  const { member, also } = listSteps(deps, userId, invite, brought);
  await changes.insertMembership(client, workspaceId, { id: userId, role: invite.role, auditor: invite.auditor });
  await changes.useInvite(client, invite.id, userId, deps.clock.now());
  const used: AdminChanged = { ...changed("people", invite.id, "invite_used", null), before: computeInviteDigest(invite) };
  const by = { type: "user", id: userId, role: invite.role, auditor: invite.auditor } as const;

  return createAdminStepSigner(deps, workspaceId, { ...member, by, also: [...also, used] });
};

/** @throws Refused, ProjectionMismatch, AuthorityUnverified */
export const joinByAccount = (deps: JoinDeps, workspaceId: string, account: SignedInAccount, hash: HexDigest): Promise<void> =>
  appendOwnRecords(
    workspaceId,
    async (client) => [await joinWithin(deps, client, workspaceId, account, hash)],
    (tx) => changes.holdAccount(tx, account.userId),
  );

const isAdmin = async ({ authority }: JoinDeps, client: LedgerTransaction, { userId, from }: SignedInAccount): Promise<boolean> => {
  const member = listMembersInForce(await authority.read(from, client)).get(userId);

  return member !== undefined && !member.disabled && isAllowed(member.role, "people.manage");
};

type Founding = {
  readonly workspaceId: string;
  readonly name: string;
  /** Null: an admin founds it. */
  readonly setup: HexDigest | null;
};

/** @throws as `joinByAccount` */
export const foundByAccount = (deps: JoinDeps, { workspaceId, name, setup }: Founding, account: SignedInAccount): Promise<void> =>
  appendOwnRecords(
    workspaceId,
    async (client) => {
      const { userId, from } = account;
      if (setup === null && !(await isAdmin(deps, client, account))) throw new Refused("principal_not_allowed");
      const standing = { role: "admin", auditor: false } as const;
      const by = { type: "user", id: userId, ...standing } as const;
      const { member, also } = listSteps(deps, userId, standing, await readAccount(deps, client, account));
      if (setup !== null && !(await changes.useSetupLink(client, setup, deps.clock.now()))) throw new Refused("not_found");
      await changes.insertWorkspace(client, workspaceId, name, false);
      await changes.insertMembership(client, workspaceId, { id: userId, ...standing });
      if (setup === null) {
        const created = changed("workspace", workspaceId, "workspace_created", null);
        await appendOwnRecord(client, from, createAdminStepSigner(deps, from, { ...created, by }));
      }
      const founded = changed("workspace", workspaceId, "founded", computeWorkspaceDigest({ demo: false }));

      return [createAdminStepSigner(deps, workspaceId, { ...founded, by, also: [member, ...also] })];
    },
    (tx) => changes.holdAccount(tx, account.userId),
  );
