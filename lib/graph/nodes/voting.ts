import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Several agents answer the same question without seeing each other's answers. */
export const votingConfigSchema = z.strictObject({
  voters: z
    .array(z.strictObject({ agent_id: idSchema, weight: z.number().positive().max(1_000).default(1) }))
    .min(1)
    .max(50),
  instructions: z.string().max(20_000).default(""),
  /** The votes that count; anything else is an abstention. Absent: any JSON value is a vote. */
  options: z.array(jsonSchema).min(1).max(100).optional(),
  strategy: z.enum(["majority", "weighted", "judge"]).default("majority"),
  /** With `judge`: who chooses among the votes that were cast. */
  judge_id: idSchema.optional(),
  /** Votes that must be cast. Absent: more than half of the voters. */
  quorum: z.number().int().min(1).max(50).optional(),
  /** `fail`: a tie fails the node with `vote_tied`; `value`: it is decided as `tie_value`. */
  on_tie: z.enum(["fail", "value"]).default("fail"),
  tie_value: jsonSchema.optional(),
  max_concurrency: z.number().int().min(1).max(50).default(5),
  /** Where the winning vote goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** Where `[{voter, vote}]` goes. */
  votes_to: pathSchema.optional(),
});
