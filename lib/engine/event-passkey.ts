/** Events of a workspace's own ledger about passkeys: whose they are, who may add one, and what was signed with one. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { passkeySchema, recordedAssertionSchema } from "@/lib/engine/approvals/assertion";
import { countersignableSchema } from "@/lib/engine/ledger/countersignable";

/** Their names as they stand in a record. */
export const PASSKEY_EVENTS = ["passkey_registered", "passkey_revoked", "passkey_allowed"] as const;

export const passkeyRegisteredSchema = z.strictObject({
  type: z.literal(PASSKEY_EVENTS[0]),
  user: uuidSchema,
  ...passkeySchema.shape,
});

export const passkeyRevokedSchema = z.strictObject({
  type: z.literal(PASSKEY_EVENTS[1]),
  user: uuidSchema,
  credential_id: passkeySchema.shape.credential_id,
});

/** The person may register one passkey without a signature of theirs. */
export const passkeyAllowedSchema = z.strictObject({
  type: z.literal(PASSKEY_EVENTS[2]),
  user: uuidSchema,
  allowance: uuidSchema,
  /** Milliseconds since 1970. */
  expires_at: z.number().int().min(0),
});

/** The author of the record signed what it records with a passkey. */
export const countersignedSchema = z.strictObject({
  type: z.literal("countersigned"),
  user: uuidSchema,
  asked: countersignableSchema,
  passkey: recordedAssertionSchema,
});
export type Countersigned = z.infer<typeof countersignedSchema>;
