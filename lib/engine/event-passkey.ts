/** Events of a workspace's own ledger: whose passkey a key is, and that it is nobody's any more. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { passkeySchema } from "@/lib/engine/assertion";

/** Their names as they stand in a record. */
export const PASSKEY_EVENTS = ["passkey_registered", "passkey_revoked"] as const;

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
