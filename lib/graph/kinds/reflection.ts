import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { instructionsField } from "@/lib/graph/kinds/fields";
import { noChoice, none, useAgent } from "@/lib/graph/kinds/parts";

const OUTPUT = "Limits and output";

/** Distils facts for later runs to recall by topic. */
const reflectionConfigSchema = z.strictObject({
  topic: field(idSchema, {
    title: "Topic",
    description: "Later runs recall facts by topic, with their current labels.",
    widget: "topic",
  }),
  extractor: field(
    z
      .discriminatedUnion("type", [
        field(
          z.strictObject({
            type: z.literal("rules"),
            min_sentence_length: field(z.number().int().min(1).max(1_000).default(15), { title: "Min characters" }),
          }),
          { title: "Every sentence that is long enough" },
        ),
        field(
          z.strictObject({
            type: z.literal("agent"),
            agent_id: field(idSchema, { title: "Agent", widget: "agent" }),
            instructions: instructionsField(),
          }),
          { title: "What an agent considers worth keeping" },
        ),
      ])
      .prefault({ type: "rules" }),
    { title: "Facts" },
  ),
  max_facts: field(z.number().int().min(1).max(50).default(10), { title: "Max facts", section: OUTPUT }),
  write_to: field(pathSchema.optional(), {
    title: "Write facts to",
    description: "A list of the facts, which are also kept for later runs. Default: the only write key.",
    widget: "path",
    section: OUTPUT,
  }),
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
