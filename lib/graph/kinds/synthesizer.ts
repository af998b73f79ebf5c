import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerAtPath, noChoice, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

/** Combines its reads by an agent or a fixed rule. */
const synthesizerConfigSchema = z.strictObject({
  /** Absent: `merge` says how. */
  agent_id: idSchema.optional(),
  instructions: z.string().max(20_000).default(""),
  answer: z.enum(["text", "json"]).default("text"),
  /** `object`: one member per read path; `list`: lists are joined, other values appended; `text`: paragraphs. In the order of `read_keys`. */
  merge: z.enum(["object", "list", "text"]).default("object"),
  /** Path of the result. Absent: the only write key. */
  write_to: pathSchema.optional(),
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
