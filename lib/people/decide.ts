import type { AdminChanged } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import { computeIdentityDigest, computeInviteDigest, computeMemberDigest, type InviteSettings } from "@/lib/engine/ledger/settings-digests";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { PeopleCommand, Standing } from "./command";
import { isSameIdentity, type Identity, type IdentityCommand } from "./identity";

export type PeopleFacts = {
  /** Null: not in this workspace. */
  readonly person: (Standing & { readonly isDisabled: boolean; readonly hasPassword: boolean }) | null;
  readonly identity: Identity | null;
  readonly isIdentityTaken: boolean;
  readonly invite: InviteSettings | null;
  readonly isMember: boolean;
  readonly openInvites: number;
  readonly hasOtherAdmin: boolean;
  readonly isElsewhere: boolean;
};

export type PeopleStep = Omit<AdminChanged, "type">;

const MOST_OPEN_INVITES = 200;

const subjectOf = (command: PeopleCommand): string => ("user" in command ? command.user : command.invite);

const isSame = (a: Standing, b: Standing): boolean => a.role === b.role && a.auditor === b.auditor;

/** Named whatever the outcome. */
const NAMES = {
  people_invite: "invited",
  people_withdraw: "invite_withdrawn",
  people_change: "role_changed",
  people_disable: "disabled",
  people_leave: "left",
  people_enable: "enabled",
  people_end_sessions: "sessions_ended",
  people_sign_out: "signed_out",
  people_link_identity: "identity_linked",
  people_unlink_identity: "identity_unlinked",
} as const satisfies Record<PeopleCommand["kind"], string>;

type Digests = Pick<PeopleStep, "before" | "after">;

const inviteOf = (command: Extract<PeopleCommand, { kind: "people_invite" }>, facts: PeopleFacts): Digests | RefusalCode => {
  if (facts.isMember) return "person_known";

  return facts.openInvites >= MOST_OPEN_INVITES
    ? "invite_limit"
    : { before: null, after: computeInviteDigest({ ...command.standing, email: command.email, hash: command.hash }) };
};

const personOf = (
  command: Extract<PeopleCommand, { kind: "people_change" | "people_disable" | "people_enable" }>,
  by: string,
  person: NonNullable<PeopleFacts["person"]>,
): Digests | RefusalCode => {
  // Keeps at least one admin.
  if (command.user === by) return "own_account";
  const before = computeMemberDigest(person, person.isDisabled);
  if (command.kind === "people_change") {
    return isSame(command.was, person) ? { before, after: computeMemberDigest(command.standing, person.isDisabled) } : "person_changed";
  }
  const isDisabled = command.kind === "people_disable";

  return person.isDisabled === isDisabled ? "person_changed" : { before, after: computeMemberDigest(person, isDisabled) };
};

const leavingOf = (person: NonNullable<PeopleFacts["person"]>, hasOtherAdmin: boolean): Digests | RefusalCode =>
  isAllowed(person.role, "people.manage") && !hasOtherAdmin
    ? "last_admin"
    : { before: computeMemberDigest(person, person.isDisabled), after: computeMemberDigest(person, true) };

const identityOf = (command: IdentityCommand, by: string, facts: PeopleFacts): Digests | RefusalCode => {
  const { person, identity, isIdentityTaken, isElsewhere } = facts;
  if (!person) return "not_found";
  if (isElsewhere && command.user !== by) return "identity_elsewhere";
  const digest = computeIdentityDigest(command.identity);
  if (command.kind === "people_link_identity") {
    return identity !== null || isIdentityTaken ? "identity_known" : { before: null, after: digest };
  }
  if (identity === null || !isSameIdentity(identity, command.identity)) return "person_changed";

  return person.hasPassword ? { before: digest, after: null } : "identity_last";
};

const mayAsk = (command: PeopleCommand, { id, role }: Extract<Principal, { type: "user" }>): boolean => {
  if (command.kind === "people_link_identity" || command.kind === "people_sign_out" || command.kind === "people_leave") {
    return command.user === id;
  }

  return isAllowed(role, "people.manage") || (command.kind === "people_unlink_identity" && command.user === id);
};

const outcomeOf = (command: PeopleCommand, by: string, facts: PeopleFacts): Digests | RefusalCode => {
  switch (command.kind) {
    case "people_invite":
      return inviteOf(command, facts);
    case "people_withdraw":
      return facts.invite ? { before: computeInviteDigest(facts.invite), after: null } : "not_found";
    case "people_change":
    case "people_disable":
    case "people_enable":
      return facts.person ? personOf(command, by, facts.person) : "not_found";
    case "people_leave":
      return facts.person ? leavingOf(facts.person, facts.hasOtherAdmin) : "not_found";
    case "people_end_sessions":
    case "people_sign_out":
      return facts.person ? { before: null, after: null } : "not_found";
    case "people_link_identity":
    case "people_unlink_identity":
      return identityOf(command, by, facts);
    default:
      return command satisfies never;
  }
};

export const describePeopleStep = (command: PeopleCommand): Pick<PeopleStep, "area" | "subject" | "step"> => ({
  area: command.kind === "people_link_identity" || command.kind === "people_unlink_identity" ? "identities" : "people",
  subject: subjectOf(command),
  step: NAMES[command.kind],
});

export const decidePeople = (principal: Principal, command: PeopleCommand, facts: PeopleFacts): Digests | RefusalCode => {
  if (principal.type !== "user" || !mayAsk(command, principal)) return "principal_not_allowed";

  return outcomeOf(command, principal.id, facts);
};
