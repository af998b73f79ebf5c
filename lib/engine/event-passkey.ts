/** Events of a workspace's own ledger: whose passkey a key is, and that it is nobody's any more. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { passkeySchema } from "@/lib/engine/assertion";

export const passkeyRegisteredSchema = z.strictObject({
  type: z.literal("passkey_registered"),
  user: uuidSchema,
  ...passkeySchema.shape,
});

export const passkeyRevokedSchema = z.strictObject({
  type: z.literal("passkey_revoked"),
  user: uuidSchema,
  credential_id: passkeySchema.shape.credential_id,
});
