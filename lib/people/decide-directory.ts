import type { RunEvent } from "@/lib/engine/event";
import type { MemberInForce } from "@/lib/engine/ledger/members-in-force";
import type { Principal } from "@/lib/engine/principal";
import { MOST_GROUP_MEMBERS } from "@/lib/people/approver-command";
import type { ApproverFold, Members } from "@/lib/people/approver-fold";
import { computeDirectoryDigest, listMappedGroups, makesAdmins, resolveAccess } from "@/lib/people/directory";
import { findNameObjection, type DirectoryCommand } from "@/lib/people/directory-command";
import { listProviderGroups } from "@/lib/people/provision-fold";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

type DirectoryChanged = Extract<RunEvent, { type: "directory_changed" }>;

const isAdminStill = (members: Members, id: string): boolean => {
  const member = members.get(id);

  return member !== undefined && !member.disabled && isAllowed(member.role, "people.manage");
};

const setDirectory = (
  { was, directory }: Extract<DirectoryCommand, { kind: "directory_set" }>,
  { groups, directory: { inForce } }: ApproverFold,
): DirectoryChanged | RefusalCode => {
  if ((inForce && computeDirectoryDigest(inForce.directory)) !== was) return "directory_changed";
  if (directory === null) return inForce ? { type: "directory_changed", step: "set", directory } : "directory_changed";
  const named = directory.rules.map(({ group }) => group);
  if (new Set(named).size < named.length || findNameObjection(directory)) return "malformed";
  if (listMappedGroups(directory).some((name) => !groups.has(name))) return "not_found";

  return { type: "directory_changed", step: makesAdmins(directory) ? "asked" : "set", directory };
};

type TokenCommand = Extract<DirectoryCommand, { kind: `directory_token_${string}` }>;

const MOST_TOKENS = 5;

const decideToken = (by: string, command: TokenCommand, facts: DirectoryFacts): RunEvent | RefusalCode => {
  const { fold, members, atMs } = facts;
  const { tokens } = fold.directory.provision;
  const { token: id } = command;
  const token = tokens.get(id);
  const change = (step: "confirmed" | "ended") => ({ type: "directory_token", token: id, step, key: null }) as const;
  if (command.kind === "directory_token_make") {
    if (token || tokens.size >= MOST_TOKENS) return "step_refused";
    const key = { public_key: command.publicKey, expires_at: atMs + command.lifetimeMs };

    return { type: "directory_token", token: id, step: "made", key };
  }
  if (!token) return "not_found";
  if (command.kind === "directory_token_end") return change("ended");
  if (token.by === by) return "policy_second_person";

  return token.isConfirmed || !isAdminStill(members, token.by) ? "step_refused" : change("confirmed");
};

const isTokenCommand = (command: DirectoryCommand): command is TokenCommand => command.kind.startsWith("directory_token_");

export type DirectoryFacts = { readonly fold: ApproverFold; readonly members: Members; readonly atMs: number };

export const decideDirectory = (principal: Principal, command: DirectoryCommand, facts: DirectoryFacts): RunEvent | RefusalCode => {
  const { fold, members } = facts;
  if (principal.type !== "user" || !isAllowed(principal.role, "people.manage")) return "principal_not_allowed";
  if (isTokenCommand(command)) return decideToken(principal.id, command, facts);
  if (command.kind === "directory_set") return setDirectory(command, fold);
  const { asked } = fold.directory;
  if (!asked || computeDirectoryDigest(asked.directory) !== command.asked) return "directory_changed";
  if (command.kind === "directory_decline") return { type: "directory_changed", step: "declined", directory: asked.directory };
  if (asked.by === principal.id) return "policy_second_person";
  const isKnown = listMappedGroups(asked.directory).every((name) => fold.groups.has(name));

  return isAdminStill(members, asked.by) && isKnown
    ? { type: "directory_changed", step: "set", directory: asked.directory }
    : "directory_changed";
};

export type SyncFacts = {
  readonly fold: ApproverFold;
  readonly members: Members;
  /** With one, a person keeps what an admin gave. */
  readonly hasPassword: boolean;
};

export type Sync = MemberInForce & {
  readonly given: boolean;
  readonly joins: readonly string[];
  readonly leaves: readonly string[];
};

const isLastAdmin = (members: Members, user: string): boolean =>
  isAdminStill(members, user) && ![...members.keys()].some((id) => id !== user && isAdminStill(members, id));

const listChanges = ({ groups, directory }: ApproverFold, user: string, wanted: readonly string[]): Pick<Sync, "joins" | "leaves"> => {
  const mapped = directory.inForce ? listMappedGroups(directory.inForce.directory) : [];
  const has = (name: string): boolean => groups.get(name)?.includes(user) === true;
  const fits = (name: string): boolean => (groups.get(name)?.length ?? MOST_GROUP_MEMBERS) < MOST_GROUP_MEMBERS;

  return {
    joins: wanted.filter((name) => !has(name) && fits(name)),
    leaves: mapped.filter((name) => has(name) && !wanted.includes(name)).toSorted(),
  };
};

/** Null: nothing changes. */
export const decideSync = (user: string, providerGroups: readonly string[], facts: SyncFacts): Sync | RefusalCode | null => {
  const { fold, members, hasPassword } = facts;
  const { inForce, managed } = fold.directory;
  const member = members.get(user);
  if (!inForce || !member || hasPassword) return null;
  const standing = managed.get(user);
  const { role, isNamed, approvers } = resolveAccess(inForce.directory, providerGroups);
  // An invite's role, and an admin's disabling, stand.
  if (standing === undefined && (!isNamed || member.disabled)) return null;
  if (role === null) {
    if (standing !== true) return null;
    if (isLastAdmin(members, user)) return "last_admin";

    return { role: member.role, auditor: false, disabled: true, given: false, ...listChanges(fold, user, []) };
  }
  if (!isAllowed(role, "people.manage") && isLastAdmin(members, user)) return "last_admin";
  const changes = listChanges(fold, user, approvers);
  const isSame = standing === true && member.role === role && changes.joins.length + changes.leaves.length === 0;

  return isSame ? null : { role, auditor: member.auditor, disabled: false, given: true, ...changes };
};

const takeAccess = (user: string, { fold, members }: ProvisionFacts): Sync | RefusalCode | null => {
  const member = members.get(user);
  if (!member || member.disabled) return null;
  if (isLastAdmin(members, user)) return "last_admin";

  return { role: member.role, auditor: false, disabled: true, given: false, ...listChanges(fold, user, []) };
};

export type ProvisionFacts = Omit<SyncFacts, "hasPassword">;

/** Null: nothing changes. A password keeps nothing: the directory made the account. */
export const decideProvisioned = (user: string, active: boolean, facts: ProvisionFacts): Sync | RefusalCode | null => {
  if (!active) return takeAccess(user, facts);
  const groups = listProviderGroups(facts.fold.directory.provision, user);

  return decideSync(user, groups, { ...facts, hasPassword: false });
};

/** Without a role the account is disabled until a group gives one. */
export const decideProvisionedNewcomer = (user: string, active: boolean, fold: ApproverFold): Sync => {
  const { inForce } = fold.directory;
  const { role, approvers } = inForce && active ? resolveAccess(inForce.directory, []) : { role: null, approvers: [] };

  return {
    role: role ?? "viewer",
    auditor: false,
    disabled: role === null,
    given: role !== null,
    ...listChanges(fold, user, approvers),
  };
};

/** Null: no account. */
export const decideNewcomer = (user: string, providerGroups: readonly string[], fold: ApproverFold): Sync | null => {
  const { inForce } = fold.directory;
  if (!inForce?.directory.newcomers) return null;
  const { role, approvers } = resolveAccess(inForce.directory, providerGroups);

  return role && { role, auditor: false, disabled: false, given: true, ...listChanges(fold, user, approvers) };
};
