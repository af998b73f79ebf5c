import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

export const commandEnvelopeSchema = z.strictObject({
  v: z.literal(4),
  author: z.discriminatedUnion("type", [
    /** `session` null: demo data, CLI runs, account creation. */
    z.strictObject({ type: z.literal("user"), id: uuidSchema, session: uuidSchema.nullable() }),
    /** A person by a runner-signed link for one request (lib/notifications/reply-link.ts), without another signature. */
    z.strictObject({ type: z.literal("link"), id: uuidSchema, token: z.string().max(300) }),
    z.strictObject({ type: z.literal("personal"), id: uuidSchema, token: uuidSchema }),
    z.strictObject({ type: z.literal("directory"), token: uuidSchema }),
    /** Holder of a wait's token, which the body shows; `token`: its id. */
    z.strictObject({ type: z.literal("wait"), token: uuidSchema }),
    /** `by_hand`: its owner's session signs; null: the token's key signs. */
    z.strictObject({
      type: z.literal("agent"),
      token: uuidSchema,
      session: uuidSchema.nullable(),
      by_hand: z.strictObject({ user: uuidSchema, session: uuidSchema }).nullable(),
    }),
  ]),
  run: uuidSchema,
  sent_at: z.number().int().min(0),
  body: jsonSchema,
  /** Ed25519 over `computeCommandDigest` by session or token, base64url; null for the product itself. */
  signature: z.string().max(100).nullable(),
});
export type CommandEnvelope = z.infer<typeof commandEnvelopeSchema>;

type Signed = Omit<CommandEnvelope, "v" | "signature"> & {
  readonly workspace: string;
  /** Recipient: sealed bytes open nowhere else. */
  readonly place: string;
};

export const computeCommandDigest = ({ workspace, place, author, run, sent_at, body }: Signed): HexDigest =>
  digestOf("command", { workspace, place, author, run, sent_at, body });
