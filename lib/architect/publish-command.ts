/** Each names the content its sender reviewed. */
import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";

const draft = { graph: uuidSchema, revision: z.number().int().min(1), hash: hexDigestSchema };

export const publishCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("publish"), ...draft }),
  /** Asks a second person; outside agents may send it. */
  z.strictObject({ kind: z.literal("publish_request"), request: uuidSchema, ...draft }),
  /** `assertion`: the second person's passkey, where writes need one. */
  z.strictObject({
    kind: z.literal("publish_approve"),
    request: uuidSchema,
    hash: hexDigestSchema,
    assertion: assertionSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("publish_decline"), request: uuidSchema, reason: z.string().trim().max(1_000) }),
]);
export type PublishCommand = z.infer<typeof publishCommandSchema>;
