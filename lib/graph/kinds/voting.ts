import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerAtPath, listPath, noChoice, nothing, useAgent, useJudge } from "@/lib/graph/kinds/parts";

/** Agents answer the same question independently. */
const votingConfigSchema = z.strictObject({
  voters: z
    .array(z.strictObject({ agent_id: idSchema, weight: z.number().positive().max(1_000).default(1) }))
    .min(1)
    .max(50),
  instructions: z.string().max(20_000).default(""),
  /** The votes that count; anything else is an abstention. Absent: any JSON value is a vote. */
  options: z.array(jsonSchema).min(1).max(100).optional(),
  strategy: z.enum(["majority", "weighted", "judge"]).default("majority"),
  /** With `judge`: agent that chooses among the votes. */
  judge_id: idSchema.optional(),
  /** Votes that must be cast. Absent: more than half of the voters. */
  quorum: z.number().int().min(1).max(50).optional(),
  /** `fail`: a tie fails the node with `vote_tied`; `value`: it is decided as `tie_value`. */
  on_tie: z.enum(["fail", "value"]).default("fail"),
  tie_value: jsonSchema.optional(),
  max_concurrency: z.number().int().min(1).max(50).default(5),
  /** Path of the winning vote. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** Path of `[{voter, vote}]`. */
  votes_to: pathSchema.optional(),
});

export const votingKind = defineKind({
  title: "Voting",
  about: "Several agents answer and their votes are counted",
  config: votingConfigSchema,
  work: "proposal",
  agents: ({ voters, strategy, judge_id: judge }) => [
    ...voters.flatMap(({ agent_id: id }) => useAgent(id, "acting")),
    ...useJudge(judge, strategy === "judge" ? "own" : undefined),
  ],
  tasks: ({ voters, judge_id: judge }) => [
    { name: "voter", bounds: [voters.length], agentAt: ([index = -1]) => voters[index]?.agent_id, judges: false, alone: true },
    { name: "judge", bounds: [], agentAt: () => judge, judges: true, alone: false },
  ],
  links: [],
  reads: () => ({ paths: [] }),
  answer: answerAtPath,
  reports: ({ votes_to: path }) => listPath(path),
  rights: { reads: "grants", writes: "grants" },
  isolates: () => true,
  proposes: "merges",
  editable: true,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ voters, options, strategy, judge_id, quorum, on_tie, tie_value, max_concurrency: together }) => ({
    most: { together },
    is: { rule: { voters, options, strategy, judge_id, quorum, on_tie, tie_value } },
  }),
});
