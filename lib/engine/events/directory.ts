import { z } from "zod";
import { timeMsSchema } from "@/lib/engine/event";
import { defineEvent, keepState, LINE_ONLY, step } from "@/lib/engine/events/event-entry";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { groupNameSchema } from "@/lib/people/approvers";
import { directorySchema } from "@/lib/people/directory";

const CHANGED = { asked: "requested", declined: "declined", set: "changed" } as const;

const groupsSchema = z.array(groupNameSchema);

export const DIRECTORY_EVENTS = {
  directory_changed: defineEvent({
    schema: z.strictObject({
      type: z.literal("directory_changed"),
      step: z.enum(["asked", "declined", "set"]),
      /** Null: removed. */
      directory: directorySchema.nullable(),
    }),
    about: "Workspace ledger: an admin changed how groups of the identity provider become roles and approver groups.",
    reduce: keepState,
    weight: 49.5,
    ...LINE_ONLY,
    line: ({ step: made, directory }) => step(`Group mapping ${CHANGED[made]}`, directory ? `${directory.rules.length} groups` : "removed"),
  }),
  directory_synced: defineEvent({
    schema: z.strictObject({
      type: z.literal("directory_synced"),
      user: uuidSchema,
      /** Record of the mapping. */
      mapping: z.number().int().min(0),
      /** Digest of the ID token, or of the directory's command. */
      token: hexDigestSchema,
      /** False: no group gives a role any more. */
      given: z.boolean(),
      joins: groupsSchema,
      leaves: groupsSchema,
    }),
    about: "Workspace ledger: a person got or lost access by the groups of the identity provider.",
    reduce: keepState,
    weight: 51,
    ...LINE_ONLY,
    line: ({ user, given }) => step(given ? "Access by provider groups" : "Access taken by provider groups", user),
  }),
  directory_token: defineEvent({
    schema: z.strictObject({
      type: z.literal("directory_token"),
      token: uuidSchema,
      step: z.enum(["made", "confirmed", "ended"]),
      key: z
        .strictObject({
          public_key: z.string().regex(/^[\w-]{43}$/),
          expires_at: timeMsSchema,
        })
        .nullable(),
    }),
    about: "Workspace ledger: an admin made, confirmed or ended a SCIM token.",
    reduce: keepState,
    weight: 49.6,
    ...LINE_ONLY,
    line: ({ step: made, token }) => step(`SCIM token ${made}`, token),
  }),
  directory_group: defineEvent({
    schema: z.strictObject({
      type: z.literal("directory_group"),
      group: uuidSchema,
      name: z.string().max(256).nullable(),
      external_id: z.string().max(256).nullable(),
      joins: z.array(uuidSchema),
      leaves: z.array(uuidSchema),
    }),
    about: "Workspace ledger: the directory changed one of its groups over SCIM.",
    reduce: keepState,
    weight: 50.5,
    ...LINE_ONLY,
    line: ({ name, group, joins, leaves }) =>
      step(name === null ? "Directory group deleted" : "Directory group changed", `${name ?? group}: +${joins.length} −${leaves.length}`),
  }),
};
