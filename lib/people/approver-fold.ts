import type { Rule } from "@/lib/approval-rules/rule";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunEvent } from "@/lib/engine/event";
import type { MemberInForce } from "@/lib/engine/ledger/members-in-force";
import { MOST_DELEGATIONS, type Seat } from "@/lib/people/approvers";
import { foldDirectory, foldDirectoryAttempt, NO_DIRECTORY, type DirectoryFold } from "@/lib/people/directory-fold";
import { isAllowed } from "@/lib/roles";

export type Delegation = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** ms since 1970, like `endsAt`. */
  readonly startsAt: number;
  readonly endsAt: number;
};

export type ApproverFold = {
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Not revoked; may have ended. */
  readonly delegations: ReadonlyMap<string, Delegation>;
  /** By id, oldest first. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Admins who asked, by rule id. */
  readonly removals: ReadonlyMap<string, string>;
  readonly directory: DirectoryFold;
};

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export const NO_APPROVERS: ApproverFold = {
  groups: new Map(),
  delegations: new Map(),
  rules: new Map(),
  removals: new Map(),
  directory: NO_DIRECTORY,
};

const foldRemoval = (fold: ApproverFold, by: Principal, { rule, step }: EventOf<"approval_rule_removal">): ApproverFold => {
  if (!fold.rules.has(rule)) return fold;
  const asker = fold.removals.get(rule);
  const removals = new Map(fold.removals);
  if (step === "asked" && by.type === "user" && asker === undefined) return { ...fold, removals: removals.set(rule, by.id) };
  removals.delete(rule);
  if (step === "declined") return { ...fold, removals };
  const isSecond = by.type === "engine" || (by.type === "user" && asker !== undefined && asker !== by.id);
  if (step !== "removed" || !isSecond) return fold;
  const rules = new Map(fold.rules);
  rules.delete(rule);

  return { ...fold, rules, removals };
};

const isAdmin = (by: Principal): boolean => by.type === "engine" || (by.type === "user" && isAllowed(by.role, "people.manage"));

const foldEvent = (fold: ApproverFold, { principal }: LedgerRecord, event: RunEvent): ApproverFold => {
  if (event.type === "approval_rule_removal") return isAdmin(principal) ? foldRemoval(fold, principal, event) : fold;
  if (principal.type !== "user") return fold;
  if (event.type === "approval_rule_added") {
    const isNew = isAdmin(principal) && !fold.rules.has(event.rule.id);

    return isNew ? { ...fold, rules: new Map(fold.rules).set(event.rule.id, event.rule) } : fold;
  }
  if (event.type === "approver_group_changed") {
    if (!isAllowed(principal.role, "people.manage")) return fold;
    const groups = new Map(fold.groups);
    if (event.people) groups.set(event.group, event.people);
    else groups.delete(event.group);

    return { ...fold, groups };
  }
  if (event.type === "delegation_given" && event.from === principal.id && !fold.delegations.has(event.delegation)) {
    const { delegation: id, from, to, starts_at: startsAt, ends_at: endsAt } = event;

    return { ...fold, delegations: new Map(fold.delegations).set(id, { id, from, to, startsAt, endsAt }) };
  }
  if (event.type === "delegation_revoked" && fold.delegations.get(event.delegation)?.from === principal.id) {
    const delegations = new Map(fold.delegations);
    delegations.delete(event.delegation);

    return { ...fold, delegations };
  }

  return fold;
};

export const foldApprovers = (before: ApproverFold, record: LedgerRecord): ApproverFold =>
  record.control.reduce(
    (fold, event) => foldEvent(foldDirectory(fold, record, event), record, event),
    foldDirectoryAttempt(before, record),
  );

const listGroupsOf = ({ groups }: ApproverFold, user: string): readonly string[] =>
  [...groups].flatMap(([group, people]) => (people.includes(user) ? [group] : [])).toSorted();

export type Members = ReadonlyMap<string, MemberInForce>;

export const isDecider = (members: Members, user: string): boolean => {
  const member = members.get(user);

  return member !== undefined && !member.disabled && isAllowed(member.role, "approval.decide");
};

export const hasDecider = ({ groups }: ApproverFold, members: Members, group: string): boolean =>
  groups.get(group)?.some((user) => isDecider(members, user)) === true;

/** Lists a person's places, their own first. Delegators must still be able to decide. @param atMs ms since 1970 */
export const listSeats = (fold: ApproverFold, members: Members, user: string, atMs: number): readonly Seat[] => {
  const active = [...fold.delegations.values()].filter(({ startsAt, endsAt }) => startsAt <= atMs && atMs < endsAt);
  const above = (chain: readonly string[]): Seat[] => {
    if (chain.length === MOST_DELEGATIONS) return [];
    const last = chain.at(-1) ?? user;
    const next = [...new Set(active.flatMap(({ from, to }) => (to === last ? [from] : [])))];

    return next
      .filter((from) => from !== user && !chain.includes(from) && isDecider(members, from))
      .flatMap((from) => [{ for: [...chain, from], groups: listGroupsOf(fold, from) }, ...above([...chain, from])]);
  };

  return [{ for: [], groups: listGroupsOf(fold, user) }, ...above([])];
};
