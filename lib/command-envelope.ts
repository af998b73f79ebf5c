/** The sealed content of a command: who sends it from which session, when, about which run, and what is asked. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

export const commandEnvelopeSchema = z.strictObject({
  v: z.literal(2),
  author: z.discriminatedUnion("type", [
    /** `session` is null for the accounts of a demo, which the product itself acts for, and for runs on the command line. */
    z.strictObject({ type: z.literal("user"), id: uuidSchema, session: uuidSchema.nullable() }),
    z.strictObject({ type: z.literal("agent"), token: uuidSchema, session: uuidSchema.nullable() }),
  ]),
  run: uuidSchema,
  /** Milliseconds since 1970, by the clock of the sender. */
  sent_at: z.number().int().min(0),
  body: jsonSchema,
});
export type CommandEnvelope = z.infer<typeof commandEnvelopeSchema>;
export type EnvelopeAuthor = CommandEnvelope["author"];
