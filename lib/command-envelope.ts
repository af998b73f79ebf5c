/** The sealed content of a command: who sends it, when, about which run, what is asked, and the sender's signature. */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

export const commandEnvelopeSchema = z.strictObject({
  v: z.literal(4),
  author: z.discriminatedUnion("type", [
    /** `session` is null where the product itself acts: it fills a demo, it drives runs on the command line, and it makes accounts. */
    z.strictObject({ type: z.literal("user"), id: uuidSchema, session: uuidSchema.nullable() }),
    /** `by_hand`: the owner of the token tries it out from their own session, which signs; null: the token's key signs. */
    z.strictObject({
      type: z.literal("agent"),
      token: uuidSchema,
      session: uuidSchema.nullable(),
      by_hand: z.strictObject({ user: uuidSchema, session: uuidSchema }).nullable(),
    }),
  ]),
  run: uuidSchema,
  /** Milliseconds since 1970, by the clock of the sender. */
  sent_at: z.number().int().min(0),
  body: jsonSchema,
  /** Ed25519 by the person's session or the agent's token over `commandDigest`, base64url; null where the product itself acts. */
  signature: z.string().max(100).nullable(),
});
export type CommandEnvelope = z.infer<typeof commandEnvelopeSchema>;

type Signed = Omit<CommandEnvelope, "v" | "signature"> & {
  readonly workspace: string;
  /** Where the command is sealed for: its bytes open nowhere else. */
  readonly place: string;
};

/** The digest that the sender signs: it binds what is asked to one sender, one run and one place. */
export const commandDigest = ({ workspace, place, author, run, sent_at, body }: Signed): HexDigest =>
  digestOf("command", { workspace, place, author, run, sent_at, body });
