import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";

export const identitySchema = z.strictObject({ issuer: z.string().min(1).max(500), subject: z.string().min(1).max(255) });
export type Identity = z.infer<typeof identitySchema>;

export const isSameIdentity = (a: Identity, b: Identity): boolean => a.issuer === b.issuer && a.subject === b.subject;

export const identityCommandSchema = z.discriminatedUnion("kind", [
  /** Account's owner only. */
  z.strictObject({ kind: z.literal("people_link_identity"), user: z.uuid(), identity: identitySchema }),
  /** `keep`: the session that continues. */
  z.strictObject({
    kind: z.literal("people_unlink_identity"),
    user: z.uuid(),
    identity: identitySchema,
    keep: z.uuid().nullable(),
    signed: adminSignatureSchema.exactOptional(),
  }),
]);
export type IdentityCommand = z.infer<typeof identityCommandSchema>;
