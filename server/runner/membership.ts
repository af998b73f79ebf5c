import type { AdminChanged } from "@/lib/engine/events/workspace";
import { ENTRY_ALLOWANCE_MS } from "@/lib/engine/ledger/passkey-fold";
import type { Principal } from "@/lib/engine/principal";
import {
  computeIdentityDigest,
  computeInviteDigest,
  computeMemberDigest,
  computePasswordDigest,
  computeWorkspaceDigest,
} from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { FoundCommand, JoinCommand, NewPerson } from "@/lib/people/membership";
import type { Identity } from "@/lib/people/identity";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import { hashSetupToken } from "@/server/auth/setup-token";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import { getCode } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { appendDecided, appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import { isAuthorityError } from "@/server/store/trust/authority";
import { isDemo } from "@/server/store/people/principals";
import * as changes from "@/server/store/people/membership-changes";

type User = Extract<Principal, { type: "user" }>;

/** Rolls the transaction back and answers the command with the code. */
export class Refused extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.name = "Refused";
    this.code = code;
  }
}

export type JoinDeps = Pick<RunnerDeps, "authority" | "clock" | "signer">;

export type Decided = Pick<AdminStep, "area" | "subject" | "step" | "before" | "after" | "also"> & {
  readonly by: User;
  readonly project: () => Promise<void>;
};

/** Refusals leave no record, since no member asked. */
export const carryOut = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  decide: (client: LedgerTransaction) => Promise<Decided>,
  hold?: Parameters<typeof appendDecided>[3],
): Promise<void> => {
  const { workspaceId, id } = command;
  const decideAndSign = async (client: LedgerTransaction) => {
    const { project, ...step } = await decide(client);

    return { sign: createAdminStepSigner(deps, workspaceId, { ...step, commandId: id }), project };
  };
  try {
    await appendDecided(workspaceId, id, decideAndSign, hold);
  } catch (error) {
    await answerRefused(deps, command, error instanceof Refused ? error.code : getCode(error));
  }
  deps.notify(command.runId);
};

export const changed = (area: AdminChanged["area"], subject: string, step: string, after: AdminChanged["after"]): AdminChanged => ({
  type: "admin_changed",
  area,
  subject,
  step,
  before: null,
  after,
});

type Joined = Pick<NewPerson, "id" | "role" | "password_hash" | "auditor">;

/** Newcomers may register a first passkey soon, without an admin's permission. */
export const allowFirstPasskey = ({ clock }: Pick<RunnerDeps, "clock">, user: string) =>
  ({ type: "passkey_allowed", user, allowance: clock.id(), expires_at: clock.now() + ENTRY_ALLOWANCE_MS }) as const;

export const listJoinSteps = (deps: Pick<RunnerDeps, "clock">, { id, role, password_hash: hash, auditor = false }: Joined) => ({
  member: changed("people", id, "joined", computeMemberDigest({ role, auditor }, false)),
  also: [...(hash === null ? [] : [changed("passwords", id, "password_set", computePasswordDigest(hash))]), allowFirstPasskey(deps, id)],
});

const authorOf = ({ author }: OpenedCommand): string => {
  if (!("userId" in author)) throw new Refused("principal_not_allowed");

  return author.userId;
};

/** One admin with a password, or passwordless demo accounts. */
const areFounders = ({ setup, people }: FoundCommand): boolean =>
  setup === null
    ? people.every(({ password_hash: hash }) => hash === null)
    : people.length === 1 &&
      people.every(({ role, auditor = false, password_hash: hash }) => role === "admin" && !auditor && hash !== null);

export const carryOutFound = (deps: RunnerDeps, command: OpenedCommand, found: FoundCommand): Promise<void> =>
  carryOut(deps, command, async (client) => {
    const { workspaceId } = command;
    const { setup, name, people } = found;
    const asDemo = setup === null;
    const [first] = people;
    if (!first || first.id !== authorOf(command) || !areFounders(found)) throw new Refused("principal_not_allowed");
    if (asDemo) await changes.holdDemo(client);
    const authority = await deps.authority.read(workspaceId, client);
    const standing = digestInForce(authority, "workspace", workspaceId);
    const after = computeWorkspaceDigest({ demo: asDemo });
    const isOther = asDemo && ((await changes.findDemoWorkspaceId(client)) ?? workspaceId) !== workspaceId;
    // Only the demo accepts missing accounts after founding.
    if (isOther || (standing !== null && !(asDemo && standing === after))) throw new Refused("not_found");
    const taken = await changes.listTakenEmails(
      client,
      people.map(({ email }) => email),
    );
    const missing = people.filter(({ email }) => !taken.has(email));
    if (!asDemo && missing.length === 0) throw new Refused("person_known");
    if (!asDemo && !(await changes.useSetupLink(client, hashSetupToken(setup), deps.clock.now()))) throw new Refused("not_found");

    return {
      by: { type: "user", id: first.id, role: first.role, auditor: false },
      area: "workspace",
      subject: workspaceId,
      step: "founded",
      before: standing,
      after,
      also: missing.flatMap((person) => {
        const { member, also } = listJoinSteps(deps, person);

        return [member, ...also];
      }),
      project: async () => {
        await changes.insertWorkspace(client, workspaceId, name, asDemo);
        for (const person of missing) {
          await changes.insertAccount(client, { ...person, demo: asDemo });
          await changes.insertMembership(client, workspaceId, { ...person, auditor: person.auditor ?? false });
        }
      },
    };
  });

type Joining = {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  /** By its link or a provider-verified address. */
  readonly invite: { readonly hash: string } | { readonly email: string };
  readonly passwordHash: string | null;
  readonly identity: Identity | null;
};

/** @throws Refused */
export const findInviteInForce = async (
  { authority, clock }: JoinDeps,
  client: LedgerTransaction,
  workspaceId: string,
  named: Joining["invite"],
): Promise<changes.FoundInvite> => {
  const invite = await changes.openInvite(client, workspaceId, named, clock.now());
  if (!invite) throw new Refused("not_found");
  const inForce = digestInForce(await authority.read(workspaceId, client), "people", invite.id);
  if (inForce !== computeInviteDigest(invite)) throw new Refused("projection_mismatch");

  return invite;
};

const decideJoin =
  (deps: JoinDeps, { workspaceId, id, name, invite: named, passwordHash, identity }: Joining) =>
  async (client: LedgerTransaction): Promise<Decided> => {
    const atMs = deps.clock.now();
    // Any local user is a demo's admin, whose invites concern no other workspace.
    if (identity && (await isDemo(deps.authority, workspaceId))) throw new Refused("not_found");
    const invite = await findInviteInForce(deps, client, workspaceId, named);
    if ((await changes.listTakenEmails(client, [invite.email])).size > 0) throw new Refused("person_known");
    const { role, auditor, email } = invite;
    const { member, also } = listJoinSteps(deps, { id, role, password_hash: passwordHash, auditor });
    const linked = identity ? [changed("identities", id, "identity_linked", computeIdentityDigest(identity))] : [];

    return {
      ...member,
      by: { type: "user", id, role, auditor },
      also: [...also, ...linked, { ...changed("people", invite.id, "invite_used", null), before: computeInviteDigest(invite) }],
      project: async () => {
        await changes.insertAccount(client, { id, name, email, password_hash: passwordHash, demo: false });
        await changes.insertMembership(client, workspaceId, { id, role, auditor });
        await changes.useInvite(client, invite.id, id, atMs);
        if (identity) await changes.insertIdentity(client, identity, id);
      },
    };
  };

export const carryOutJoin = (
  deps: RunnerDeps,
  command: OpenedCommand,
  { token, name, password_hash: passwordHash }: JoinCommand,
): Promise<void> =>
  carryOut(deps, command, (client) => {
    const invite = { hash: hashSetupToken(token) };

    return decideJoin(deps, { workspaceId: command.workspaceId, id: authorOf(command), name, invite, passwordHash, identity: null })(
      client,
    );
  });

export const joinByIdentity = async (deps: JoinDeps, joining: Joining): Promise<boolean> => {
  const { workspaceId } = joining;
  try {
    await appendOwnRecords(workspaceId, async (client) => {
      const { project, ...step } = await decideJoin(deps, joining)(client);
      await project();

      return [createAdminStepSigner(deps, workspaceId, step)];
    });

    return true;
  } catch (error) {
    if (error instanceof Refused || isAuthorityError(error)) return false;
    throw error;
  }
};
