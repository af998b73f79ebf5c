/** What people sign with a passkey besides decisions, and the challenge that their authenticator signs. */
import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { assertionSchema, passkeySchema } from "@/lib/engine/approvals/assertion";

/** What admins sign where the policy demands it. `lib/admin-change.ts` says what exactly of each command. */
const ADMIN_CHANGES = ["people_invite", "people_change", "people_enable", "people_unlink_identity", "token_mint", "registry_step"] as const;

export const countersignableSchema = z.discriminatedUnion("kind", [
  /** A further passkey of the person. */
  z.strictObject({ kind: z.literal("passkey_register"), passkey: passkeySchema }),
  /** An admin lets `user` register a passkey. */
  z.strictObject({ kind: z.literal("passkey_allow"), allowance: uuidSchema, user: uuidSchema }),
  z.strictObject({ kind: z.literal("policy_lower"), request: uuidSchema }),
  z.strictObject({ kind: z.literal("policy_confirm"), request: uuidSchema }),
  z.strictObject({ kind: z.literal("publish_approve"), request: uuidSchema, hash: hexDigestSchema }),
  /** `request` tells two equal changes apart; `change` is the digest of all that the admin chose. */
  z.strictObject({ kind: z.enum(ADMIN_CHANGES), request: uuidSchema, change: hexDigestSchema }),
]);
export type Countersignable = z.infer<typeof countersignableSchema>;

/** The signature of an admin as a command carries it. */
export const adminSignatureSchema = z.strictObject({ request: uuidSchema, assertion: assertionSchema });
export type AdminSignature = z.infer<typeof adminSignatureSchema>;

/** Returns the WebAuthn challenge as the 32 bytes that this hex names. */
export const countersignatureChallenge = (workspace: string, user: string, asked: Countersignable): HexDigest =>
  digestOf("countersignature", {
    v: 1,
    workspace,
    user,
    // Without the members that are absent.
    asked: asked.kind === "passkey_register" ? { kind: asked.kind, passkey: { ...asked.passkey } } : { ...asked },
  });
