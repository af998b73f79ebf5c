/** Sent to the workspace itself (run id `getWorkspaceLedgerId`). */
import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { hexDigestSchema } from "@/lib/hash";
import { identityCommandSchema } from "@/lib/people/identity";
import { roleSchema } from "@/lib/roles";

export const INVITE_LIFE_MS = 72 * 3_600_000;

export const standingSchema = z.strictObject({ role: roleSchema, auditor: z.boolean() });
export type Standing = z.infer<typeof standingSchema>;

export const emailSchema = z.string().trim().toLowerCase().pipe(z.email("Enter an e-mail address.").max(254));

export const peopleCommandSchema = z.discriminatedUnion("kind", [
  /** `hash`: of the link's token, which only the inviter gets. */
  z.strictObject({
    kind: z.literal("people_invite"),
    invite: z.uuid(),
    hash: hexDigestSchema,
    email: emailSchema,
    standing: standingSchema,
    signed: adminSignatureSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("people_withdraw"), invite: z.uuid() }),
  /** `was`: as on screen, against undoing concurrent changes. */
  z.strictObject({
    kind: z.literal("people_change"),
    user: z.uuid(),
    was: standingSchema,
    standing: standingSchema,
    signed: adminSignatureSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("people_disable"), user: z.uuid() }),
  /** One's own; an admin can enable them again. */
  z.strictObject({ kind: z.literal("people_leave"), user: z.uuid() }),
  z.strictObject({ kind: z.literal("people_enable"), user: z.uuid(), signed: adminSignatureSchema.exactOptional() }),
  /** Null: all of the person's. */
  z.strictObject({ kind: z.literal("people_end_sessions"), user: z.uuid(), session: z.uuid().nullable() }),
  z.strictObject({ kind: z.literal("people_sign_out"), user: z.uuid(), session: z.uuid().nullable(), keep: z.uuid().nullable() }),
  ...identityCommandSchema.options,
]);
export type PeopleCommand = z.infer<typeof peopleCommandSchema>;
