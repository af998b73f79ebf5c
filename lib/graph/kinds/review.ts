import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { deciderSchema } from "@/lib/roles";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { expiryField, nextNodeField } from "@/lib/graph/kinds/fields";
import { optionalLink } from "@/lib/graph/kinds/links";
import { noAnswer, noChoice, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

const reviewerSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agent"), agent_id: idSchema }),
  z.strictObject({ type: z.literal("person"), role: deciderSchema.default("reviewer"), count: z.number().int().min(1).max(10).default(1) }),
]);
export type Reviewer = z.infer<typeof reviewerSchema>;

export const FINDINGS = ["instructions", "unsupported", "wrong", "sensitive", "malformed"] as const;

const FINDINGS_AND_TIME = "Findings and time";

/** Reviewers advise independently; a judge decides. */
export const reviewConfigSchema = z.strictObject({
  target: field(pathSchema, { title: "Target", widget: "path" }),
  source: field(pathSchema.optional(), { title: "Source", description: "Shown next to the target. Optional.", widget: "path" }),
  reviewers: field(z.array(reviewerSchema).max(10), { title: "Reviewers" }),
  quorum: field(z.number().int().min(1).max(20).default(1), {
    title: "Required approvals",
    description: "From people and models combined. A judge enforces them; reviewers only advise.",
  }),
  instructions: field(z.string().max(4_000).default(""), { title: "What to look for", widget: "prose", rows: 3 }),
  rework: field(
    z
      .strictObject({
        node: field(idSchema, { title: "Send back to", widget: "node" }),
        limit: field(z.number().int().min(0).max(10).default(2), { title: "Max times" }),
      })
      .optional(),
    {
      title: "Send back rejected work",
      description: "Work is redone up to the limit, then a person decides. When off, the run continues and a judge rejects.",
    },
  ),
  findings: field(
    z
      .array(idSchema)
      .min(1)
      .max(50)
      .default([...FINDINGS]),
    {
      title: "Finding codes",
      description: "Codes that a reviewer can choose from.",
      noun: "code",
      suggestions: FINDINGS,
      section: FINDINGS_AND_TIME,
    },
  ),
  timeout_ms: expiryField("Expires after", FINDINGS_AND_TIME),
  expiry_node: nextNodeField("On expiry, go to", "Continue as not passed", undefined, FINDINGS_AND_TIME),
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
    optionalLink<Config>({
      name: "expiry",
      role: "route",
      line: { label: "expired", describe: (from, to) => `On expiry, ${from} goes to ${to}`, tone: "expiry" },
      get: (config) => config.expiry_node,
      set: ({ expiry_node: _gone, ...config }, id) => (id === undefined ? config : { ...config, expiry_node: id }),
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
  powers: ({ target, source, reviewers, quorum: verdicts, findings, rework, expiry_node: expired }) => ({
    may: { chooses: [...(rework ? [rework.node] : []), ...(expired === undefined ? [] : [expired])] },
    most: { rounds: rework?.limit ?? 0 },
    least: { verdicts },
    is: { rule: { target, source, reviewers, findings } },
  }),
});
