import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerField, instructionsField, resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, noChoice, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

const byAgent = ({ agent_id: id }: { readonly agent_id?: unknown }): boolean => id !== undefined;

/** Combines its reads by an agent or a fixed rule. */
const synthesizerConfigSchema = z.strictObject({
  agent_id: field(idSchema.optional(), { title: "Combined by", none: "A fixed rule, without a model", widget: "agent" }),
  merge: field(z.enum(["object", "list", "text"]).default("object"), {
    title: "Rule",
    description: "Combines everything under “May read” below.",
    choices: {
      object: "Object with one member per value",
      list: "List in reading order",
      text: "Text with one paragraph per value",
    },
    when: ({ agent_id: id }) => id === undefined,
  }),
  instructions: instructionsField({ when: byAgent }),
  answer: answerField({ when: byAgent }),
  write_to: resultField(),
});

export const synthesizerKind = defineKind({
  title: "Synthesizer",
  about: "Combines several values into one",
  config: synthesizerConfigSchema,
  work: "proposal",
  agents: ({ agent_id: id }) => useAgent(id, "own"),
  tasks: none,
  links: [],
  reads: () => ({ paths: [] }),
  answer: answerAtPath,
  reports: none,
  rights: { reads: "grants", writes: "grants" },
  isolates: ({ agent_id: id }) => id !== undefined,
  proposes: "updates",
  editable: true,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ merge, answer }) => ({ is: { rule: { merge, answer } } }),
});
