/** Making and revoking tokens of outside agents, as commands to the workspace itself. */
import { z } from "zod";
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { integritySchema } from "@/lib/graph/label";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

/** What a token may do, as it is stored; `hash` is SHA-256 of the token, which leaves the web process once. */
export const newTokenSchema = z.strictObject({
  id: uuidSchema,
  name: z.string().min(1).max(120),
  hash: hexDigestSchema,
  hint: z.string().max(20),
  audience: z.string().max(500),
  scopes: z.array(z.enum(AGENT_SCOPES)).min(1).max(AGENT_SCOPES.length),
  /** Null: all graphs of the workspace. */
  graphs: z.array(uuidSchema).min(1).max(200).nullable(),
  integrity: integritySchema,
  strictErrors: z.boolean(),
  singleBlock: z.boolean(),
  /** Milliseconds since 1970. */
  expiresAt: z.number().int().min(0),
});
export type NewToken = z.infer<typeof newTokenSchema>;

export const tokenCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token_mint"), token: newTokenSchema }),
  z.strictObject({ kind: z.literal("token_revoke"), token: uuidSchema }),
]);
export type TokenCommand = z.infer<typeof tokenCommandSchema>;
