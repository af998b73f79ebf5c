import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noChoice, none, useAgent } from "@/lib/graph/kinds/parts";

/** Distils facts for later runs to recall by topic. */
const reflectionConfigSchema = z.strictObject({
  topic: idSchema,
  extractor: z
    .discriminatedUnion("type", [
      /** Characters. */
      z.strictObject({ type: z.literal("rules"), min_sentence_length: z.number().int().min(1).max(1_000).default(15) }),
      z.strictObject({ type: z.literal("agent"), agent_id: idSchema, instructions: z.string().max(20_000).default("") }),
    ])
    .prefault({ type: "rules" }),
  max_facts: z.number().int().min(1).max(50).default(10),
  /** Path of the list of facts to keep. Absent: the only write key. */
  write_to: pathSchema.optional(),
});

export const reflectionKind = defineKind({
  title: "Reflection",
  about: "Distils facts for later runs",
  config: reflectionConfigSchema,
  work: "proposal",
  agents: ({ extractor }) => (extractor.type === "agent" ? useAgent(extractor.agent_id, "own") : []),
  tasks: none,
  links: [],
  reads: () => ({ paths: [] }),
  answer: ({ write_to: path }) => path,
  reports: none,
  rights: { reads: "grants", writes: "grants" },
  isolates: ({ extractor }) => extractor.type === "agent",
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: ({ topic, max_facts: most }) => ({ kept: { topic, most } }),
  powers: ({ topic, max_facts: items }) => ({ may: { keeps: [topic] }, most: { items } }),
});
