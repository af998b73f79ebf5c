/** Groups, rules and delegations: ledger only, no row names an approver. */
import { z } from "zod";
import { timeMsSchema } from "@/lib/engine/event";
import { defineEvent, keepState, LINE_ONLY, step } from "@/lib/engine/events/event-entry";
import { uuidSchema } from "@/lib/ids";
import { groupPeopleSchema } from "@/lib/people/approver-command";
import { ruleSchema } from "@/lib/approval-rules/rule";
import { describeRule } from "@/lib/approval-rules/text";
import { groupNameSchema } from "@/lib/people/approvers";

const count = (people: number): string => `${people} ${people === 1 ? "person" : "people"}`;

const REMOVAL = {
  asked: "Removal of an approval rule requested",
  declined: "Removal of an approval rule declined",
  removed: "Approval rule removed",
} as const;

export const APPROVER_EVENTS = {
  approver_group_changed: defineEvent({
    schema: z.strictObject({
      type: z.literal("approver_group_changed"),
      group: groupNameSchema,
      /** Null: removed. */
      people: groupPeopleSchema.nullable(),
    }),
    about: "Workspace ledger: an admin changed the people of an approver group.",
    reduce: keepState,
    weight: 44,
    ...LINE_ONLY,
    line: ({ group, people }) => step("Approver group changed", `${group}: ${people ? count(people.length) : "removed"}`),
  }),
  approval_rule_added: defineEvent({
    schema: z.strictObject({ type: z.literal("approval_rule_added"), rule: ruleSchema }),
    about: "Workspace ledger: an admin added a rule for approvals, for runs that start from then on.",
    reduce: keepState,
    weight: 45,
    ...LINE_ONLY,
    line: ({ rule }) => step("Approval rule added", describeRule(rule)),
  }),
  approval_rule_removal: defineEvent({
    schema: z.strictObject({
      type: z.literal("approval_rule_removal"),
      rule: uuidSchema,
      /** Removed: by an admin other than the one who asked, or by the operator. */
      step: z.enum(["asked", "declined", "removed"]),
    }),
    about: "Workspace ledger: the removal of a rule for approvals was asked for, declined or confirmed.",
    reduce: keepState,
    weight: 46,
    ...LINE_ONLY,
    line: ({ rule, step: made }) => step(REMOVAL[made], rule),
  }),
  delegation_given: defineEvent({
    schema: z.strictObject({
      type: z.literal("delegation_given"),
      delegation: uuidSchema,
      from: uuidSchema,
      to: uuidSchema,
      starts_at: timeMsSchema,
      ends_at: timeMsSchema,
    }),
    about: "Workspace ledger: an approver delegated to another person for a time.",
    reduce: keepState,
    weight: 40,
    ...LINE_ONLY,
    line: ({ from, to }) => step("Approvals delegated", `${from} to ${to}`),
  }),
  delegation_revoked: defineEvent({
    schema: z.strictObject({ type: z.literal("delegation_revoked"), delegation: uuidSchema }),
    about: "Workspace ledger: an approver revoked a delegation.",
    reduce: keepState,
    weight: 41,
    ...LINE_ONLY,
    line: ({ delegation }) => step("Delegation revoked", delegation),
  }),
};
