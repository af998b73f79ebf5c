import { MOST_RULES } from "@/lib/approval-rules/rule";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { ApproverCommand } from "@/lib/people/approver-command";
import { isDecider, type ApproverFold, type Delegation, type Members } from "@/lib/people/approver-fold";
import { MOST_DELEGATIONS } from "@/lib/people/approvers";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

export type ApproverFacts = {
  readonly fold: ApproverFold;
  readonly members: Members;
  /** ms since 1970. */
  readonly atMs: number;
};

const MOST_GROUPS = 100;
const MOST_GIVEN = 20;
const LONGEST_MS = 366 * 86_400_000;

type CommandOf<K extends ApproverCommand["kind"]> = Extract<ApproverCommand, { kind: K }>;

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id) => b.includes(id));

/** Names that differ in case alone would be confused. */
const isLike = (name: string, groups: Iterable<string>): boolean =>
  [...groups].some((other) => other !== name && other.toLowerCase() === name.toLowerCase());

const setGroup = ({ group, was, people }: CommandOf<"group_set">, { fold, members }: ApproverFacts): RunEvent | RefusalCode => {
  const before = fold.groups.get(group) ?? null;
  if (was === null ? before !== null : before === null || !isSame(was, before)) return "group_changed";
  if (before === null && (fold.groups.size >= MOST_GROUPS || isLike(group, fold.groups.keys()))) return "group_name_taken";
  const unique = [...new Set(people)].toSorted();
  // Former members may stay.
  if (unique.some((id) => !members.has(id) && !before?.includes(id))) return "not_found";

  return { type: "approver_group_changed", group, people: unique };
};

type Edge = Pick<Delegation, "from" | "to">;

/** Longest chain from a person; over the limit for a loop. */
const measure = (edges: readonly Edge[], start: string, onwards: (edge: Edge) => readonly [string, string], depth = 0): number =>
  depth > MOST_DELEGATIONS
    ? depth
    : Math.max(
        depth,
        ...edges.flatMap((edge) => {
          const [here, next] = onwards(edge);

          return here === start ? [measure(edges, next, onwards, depth + 1)] : [];
        }),
      );

const isReached = (edges: readonly Edge[], from: string, to: string): boolean => {
  const seen = new Set([from]);
  for (const id of seen) for (const edge of edges) if (edge.from === id) seen.add(edge.to);

  return seen.has(to);
};

const give = (by: string, command: CommandOf<"delegation_give">, { fold, members, atMs }: ApproverFacts): RunEvent | RefusalCode => {
  const { delegation, to, starts_at: startsAt, ends_at: endsAt } = command;
  if (!isDecider(members, by)) return "principal_not_allowed";
  if (to === by || !isDecider(members, to)) return "delegate_unable";
  if (endsAt <= Math.max(startsAt, atMs) || endsAt - atMs > LONGEST_MS || fold.delegations.has(delegation)) return "delegation_invalid";
  const edges = [...fold.delegations.values()].filter((one) => one.endsAt > atMs);
  if (edges.filter(({ from }) => from === by).length >= MOST_GIVEN) return "delegation_invalid";
  const before = measure(edges, by, ({ from, to: next }) => [next, from]);
  const after = measure(edges, to, ({ from, to: next }) => [from, next]);
  if (isReached(edges, to, by) || before + 1 + after > MOST_DELEGATIONS) return "delegation_chain";

  return { type: "delegation_given", delegation, from: by, to, starts_at: startsAt, ends_at: endsAt };
};

const addRule = ({ rule }: CommandOf<"rule_add">, { fold, members }: ApproverFacts): RunEvent | RefusalCode => {
  if (fold.rules.has(rule.id)) return "rule_changed";
  if (fold.rules.size >= MOST_RULES) return "rule_limit";
  const { groups, people, escalation } = rule.needs;
  const named = [...groups, ...(escalation ? [escalation.group] : [])];
  const isKnown = named.every((group) => fold.groups.has(group)) && people.every((id) => members.has(id));

  return isKnown ? { type: "approval_rule_added", rule } : "not_found";
};

type Removal = "rule_remove" | "rule_remove_confirm" | "rule_remove_decline";

const removeRule = (by: string, { kind, rule }: CommandOf<Removal>, { fold, members }: ApproverFacts): RunEvent | RefusalCode => {
  const asker = fold.removals.get(rule);
  const make = (step: "asked" | "declined" | "removed") => ({ type: "approval_rule_removal", rule, step }) as const;
  if (!fold.rules.has(rule) || (kind === "rule_remove") === (asker !== undefined)) return "rule_changed";
  if (kind === "rule_remove") return make("asked");
  if (kind === "rule_remove_decline") return make("declined");
  if (asker === by) return "policy_second_person";
  const before = members.get(asker ?? "");
  const isStillAdmin = before !== undefined && !before.disabled && isAllowed(before.role, "people.manage");

  return isStillAdmin ? make("removed") : "rule_changed";
};

export const decideApprovers = (principal: Principal, command: ApproverCommand, facts: ApproverFacts): RunEvent | RefusalCode => {
  if (principal.type !== "user") return "principal_not_allowed";
  const { fold } = facts;
  switch (command.kind) {
    case "group_set":
      return isAllowed(principal.role, "people.manage") ? setGroup(command, facts) : "principal_not_allowed";
    case "group_remove": {
      if (!isAllowed(principal.role, "people.manage")) return "principal_not_allowed";

      return fold.groups.has(command.group) ? { type: "approver_group_changed", group: command.group, people: null } : "not_found";
    }
    case "rule_add":
      return isAllowed(principal.role, "people.manage") ? addRule(command, facts) : "principal_not_allowed";
    case "rule_remove":
    case "rule_remove_confirm":
    case "rule_remove_decline":
      return isAllowed(principal.role, "people.manage") ? removeRule(principal.id, command, facts) : "principal_not_allowed";
    case "delegation_give":
      return give(principal.id, command, facts);
    case "delegation_revoke":
      return fold.delegations.get(command.delegation)?.from === principal.id
        ? { type: "delegation_revoked", delegation: command.delegation }
        : "not_found";
    default:
      return command satisfies never;
  }
};
