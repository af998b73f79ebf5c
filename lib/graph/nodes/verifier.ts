import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Says whether something holds. What cannot be evaluated has failed; nothing passes by accident. */
export const verifierConfigSchema = z.strictObject({
  check: z.discriminatedUnion("type", [
    /** Passes on exactly `true`. */
    z.strictObject({ type: z.literal("expression"), expression: expressionSchema }),
    z.strictObject({ type: z.literal("schema"), key: pathSchema, schema: z.record(z.string().max(200), jsonSchema) }),
    /** A judging agent scores from 0 to 1. */
    z.strictObject({
      type: z.literal("judge"),
      agent_id: idSchema,
      key: pathSchema,
      criteria: z.string().max(4_000).default(""),
      threshold: z.number().min(0).max(1).default(0.8),
    }),
  ]),
  /** `fail`: a failed check fails the node with `verification_failed`. */
  on_fail: z.enum(["record", "fail"]).default("record"),
  /** Where `{passed, score, reason}` goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
});
