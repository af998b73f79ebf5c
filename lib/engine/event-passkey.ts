/** Passkey ownership, allowances and countersignatures. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { passkeySchema, recordedAssertionSchema } from "@/lib/engine/approvals/assertion";
import { countersignableSchema } from "@/lib/engine/ledger/countersignable";

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

/** Allows one unsigned registration. */
export const passkeyAllowedSchema = z.strictObject({
  type: z.literal(PASSKEY_EVENTS[2]),
  user: uuidSchema,
  allowance: uuidSchema,
  /** ms since 1970. */
  expires_at: z.number().int().min(0),
});

/** Content signed by the record's author. */
export const countersignedSchema = z.strictObject({
  type: z.literal("countersigned"),
  user: uuidSchema,
  asked: countersignableSchema,
  passkey: recordedAssertionSchema,
});
export type Countersigned = z.infer<typeof countersignedSchema>;
