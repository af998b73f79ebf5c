/** Groups and delegations, in the workspace ledger alone: no row names an approver. */
import { z } from "zod";
import { timeMsSchema } from "@/lib/engine/event";
import { defineEvent, keepState, LINE_ONLY, step } from "@/lib/engine/events/event-entry";
import { uuidSchema } from "@/lib/ids";
import { groupPeopleSchema } from "@/lib/people/approver-command";
import { groupNameSchema } from "@/lib/people/approvers";

const count = (people: number): string => `${people} ${people === 1 ? "person" : "people"}`;

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
