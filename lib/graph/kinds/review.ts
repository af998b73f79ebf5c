import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { optionalLink } from "@/lib/graph/kinds/links";
import { noAnswer, noChoice, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

const DAY_MS = 86_400_000;

const reviewerSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agent"), agent_id: idSchema }),
  z.strictObject({ type: z.literal("person"), role: deciderSchema.default("reviewer"), count: z.number().int().min(1).max(10).default(1) }),
]);
export type Reviewer = z.infer<typeof reviewerSchema>;

/** Default finding codes. */
export const FINDINGS = ["instructions", "unsupported", "wrong", "sensitive", "malformed"] as const;

/** Reviewers advise independently; a judge decides. */
export const reviewConfigSchema = z.strictObject({
  target: pathSchema,
  /** Source of the target, shown beside it. */
  source: pathSchema.optional(),
  instructions: z.string().max(4_000).default(""),
  reviewers: z.array(reviewerSchema).max(10),
  /** Approvals required, of people and models together. */
  quorum: z.number().int().min(1).max(20).default(1),
  findings: z
    .array(idSchema)
    .min(1)
    .max(50)
    .default([...FINDINGS]),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(30 * DAY_MS)
    .default(DAY_MS),
  /** Node that redoes a case that did not pass, and how often; after that a person decides. */
  rework: z.strictObject({ node: idSchema, limit: z.number().int().min(0).max(10).default(2) }).optional(),
});

type Config = z.output<typeof reviewConfigSchema>;

export const reviewKind = defineKind({
  title: "Review",
  about: "Named reviewers give verdicts on one value",
  config: reviewConfigSchema,
  work: "verdicts",
  agents: ({ reviewers }) => reviewers.flatMap((one) => (one.type === "agent" ? useAgent(one.agent_id, "judge") : [])),
  tasks: ({ reviewers }) => [
    {
      name: "reviewer",
      bounds: [reviewers.length],
      agentAt: ([index = -1]) => {
        const reviewer = reviewers[index];

        return reviewer?.type === "agent" ? reviewer.agent_id : undefined;
      },
      judges: true,
      alone: true,
    },
  ],
  links: [
    optionalLink<Config>({
      name: "rework",
      role: "route",
      line: { label: "send back", describe: (from, to) => `${from} sends rejected work back to ${to}`, tone: "choice" },
      get: ({ rework }) => rework?.node,
      set: ({ rework, ...config }, node) => ({ ...config, ...(rework && node !== undefined ? { rework: { ...rework, node } } : {}) }),
    }),
  ],
  reads: ({ target, source }) => ({ paths: source === undefined ? [target] : [target, source] }),
  answer: noAnswer,
  reports: none,
  rights: { reads: "declared", writes: "none" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ target, source, reviewers, quorum: verdicts, findings, rework }) => ({
    may: { chooses: rework ? [rework.node] : [] },
    most: { rounds: rework?.limit ?? 0 },
    least: { verdicts },
    is: { rule: { target, source, reviewers, findings } },
  }),
});
