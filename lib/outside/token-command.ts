import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { TOKEN_SCOPES } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { hexDigestSchema } from "@/lib/hash";
import { MOST_ENVIRONMENTS } from "@/lib/environments/environment";
import { idSchema, uuidSchema } from "@/lib/ids";
import { newGrantSchema, redeemCommandSchema } from "./oauth-grant";
import { tokenLimitsSchema } from "./token-limits";

/** `hash`: SHA-256 of the token, which leaves the web process once. */
export const newTokenSchema = z.strictObject({
  id: uuidSchema,
  name: z.string().min(1).max(120),
  hash: hexDigestSchema,
  /** Ed25519, base64url, derived from the token. */
  publicKey: z.string().regex(/^[\w-]{43}$/),
  hint: z.string().max(20),
  audience: z.string().max(500),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length),
  graphs: z.array(uuidSchema).min(1).max(200).nullable(),
  /** Environments of its runs; absent: all. */
  environments: z.array(idSchema).min(1).max(MOST_ENVIRONMENTS).exactOptional(),
  integrity: integritySchema,
  strictErrors: z.boolean(),
  singleBlock: z.boolean(),
  limits: tokenLimitsSchema,
  lifetimeMs: z
    .number()
    .int()
    .min(1)
    .max(366 * 86_400_000),
  oauth: newGrantSchema.exactOptional(),
});
export type NewToken = z.infer<typeof newTokenSchema>;

export const tokenCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token_mint"), token: newTokenSchema, signed: adminSignatureSchema.exactOptional() }),
  z.strictObject({
    kind: z.literal("token_rotate"),
    token: uuidSchema,
    secret: newTokenSchema.pick({ hash: true, publicKey: true, hint: true }),
    lifetimeMs: newTokenSchema.shape.lifetimeMs,
    signed: adminSignatureSchema.exactOptional(),
  }),
  redeemCommandSchema,
  z.strictObject({ kind: z.literal("token_revoke"), token: uuidSchema }),
]);
export type TokenCommand = z.infer<typeof tokenCommandSchema>;
