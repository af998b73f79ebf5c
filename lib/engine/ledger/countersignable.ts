import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { assertionSchema, passkeySchema } from "@/lib/engine/approvals/assertion";

const ADMIN_CHANGES = [
  "people_invite",
  "people_change",
  "people_enable",
  "people_unlink_identity",
  "group_set",
  "directory_set",
  "directory_confirm",
  "directory_token_make",
  "directory_token_confirm",
  "rule_remove",
  "rule_remove_confirm",
  "token_mint",
  "token_rotate",
  "registry_step",
  "environments_set",
  "environment_variables",
] as const;

export const countersignableSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("passkey_register"), passkey: passkeySchema }),
  z.strictObject({ kind: z.literal("passkey_allow"), allowance: uuidSchema, user: uuidSchema }),
  z.strictObject({ kind: z.enum(["policy_lower", "policy_confirm"]), request: uuidSchema, environment: idSchema.exactOptional() }),
  z.strictObject({ kind: z.literal("publish_approve"), request: uuidSchema, hash: hexDigestSchema }),
  z.strictObject({ kind: z.enum(ADMIN_CHANGES), request: uuidSchema, change: hexDigestSchema }),
]);
export type Countersignable = z.infer<typeof countersignableSchema>;

export const adminSignatureSchema = z.strictObject({ request: uuidSchema, assertion: assertionSchema });
export type AdminSignature = z.infer<typeof adminSignatureSchema>;

/** Returns the WebAuthn challenge (32 bytes, hex). */
export const countersignatureChallenge = (workspace: string, user: string, asked: Countersignable): HexDigest =>
  digestOf("countersignature", {
    v: 1,
    workspace,
    user,
    asked: asked.kind === "passkey_register" ? { kind: asked.kind, passkey: { ...asked.passkey } } : { ...asked },
  });
