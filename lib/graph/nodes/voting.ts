import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Agents answer the same question independently. */
export const votingConfigSchema = z.strictObject({
  voters: z
    .array(z.strictObject({ agent_id: idSchema, weight: z.number().positive().max(1_000).default(1) }))
    .min(1)
    .max(50),
  instructions: z.string().max(20_000).default(""),
  /** Absent: any JSON value; others abstain. */
  options: z.array(jsonSchema).min(1).max(100).optional(),
  strategy: z.enum(["majority", "weighted", "judge"]).default("majority"),
  /** With `judge`: chooses among the votes. */
  judge_id: idSchema.optional(),
  /** Votes required. Absent: more than half. */
  quorum: z.number().int().min(1).max(50).optional(),
  /** `fail`: a tie fails with `vote_tied`; `value`: it yields `tie_value`. */
  on_tie: z.enum(["fail", "value"]).default("fail"),
  tie_value: jsonSchema.optional(),
  max_concurrency: z.number().int().min(1).max(50).default(5),
  /** Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** Path of `[{voter, vote}]`. */
  votes_to: pathSchema.optional(),
});
