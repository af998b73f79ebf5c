import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { concurrencyField, instructionsField, resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, listPath, noChoice, nothing, useAgent, useJudge } from "@/lib/graph/kinds/parts";

const DETAILS = "Quorum, ties and limits";

/** Agents answer the same question independently. */
const votingConfigSchema = z.strictObject({
  voters: field(
    z
      .array(z.strictObject({ agent_id: idSchema, weight: z.number().positive().max(1_000).default(1) }))
      .min(1)
      .max(50),
    { title: "Voters" },
  ),
  instructions: instructionsField({ title: "Question" }),
  options: field(z.array(jsonSchema).min(1).max(100).optional(), {
    title: "Allowed votes",
    description: "Any other vote is an abstention. If empty, every value is allowed.",
    noun: "vote",
  }),
  strategy: field(z.enum(["majority", "weighted", "judge"]).default("majority"), {
    title: "Decided by",
    choices: { majority: "Most votes win", weighted: "Most weight wins", judge: "A judge chooses among the votes" },
  }),
  judge_id: field(idSchema.optional(), { title: "Judge", widget: "agent", when: ({ strategy }) => strategy === "judge" }),
  write_to: resultField("Write winning vote to"),
  quorum: field(z.number().int().min(1).max(50).optional(), {
    title: "Quorum",
    description: "If empty, more than half of the voters.",
    section: DETAILS,
  }),
  on_tie: field(z.enum(["fail", "value"]).default("fail"), {
    title: "On a tie",
    choices: { fail: "Fail the node (vote_tied)", value: "Use a default value" },
    section: DETAILS,
  }),
  tie_value: field(jsonSchema.optional(), {
    title: "Default value",
    description: "JSON or plain text.",
    section: DETAILS,
    when: ({ on_tie: onTie }) => onTie === "value",
    initial: (_path, { options }) => (Array.isArray(options) ? jsonSchema.parse(options[0]) : ""),
  }),
  max_concurrency: concurrencyField(DETAILS),
  votes_to: field(pathSchema.optional(), {
    title: "Write all votes to",
    description: "A list of voter and vote. If empty, not written.",
    widget: "path",
    section: DETAILS,
  }),
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
