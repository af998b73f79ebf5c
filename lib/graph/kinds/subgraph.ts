import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { MEMORY_KEY, pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** Published graph with its own memory; only declared values cross. */
export const subgraphConfigSchema = z.strictObject({
  /** The `id` of its document. */
  graph_id: idSchema,
  /** Absent in a draft: publishing fills in the newest version. */
  version: hexDigestSchema.optional(),
  /** Its memory key <- our path. */
  inputs: z.record(MEMORY_KEY, pathSchema).default({}),
  /** Our path <- its path. */
  outputs: z.record(pathSchema, pathSchema).default({}),
});

export const subgraphKind = defineKind({
  title: "Subgraph",
  about: "Runs another published graph as one step",
  config: subgraphConfigSchema,
  work: "frame",
  agents: none,
  tasks: none,
  links: [],
  reads: ({ inputs }) => ({ paths: Object.values(inputs) }),
  answer: noAnswer,
  reports: ({ outputs }) => Object.keys(outputs),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ graph_id: graph, inputs, outputs }) => ({
    may: {
      tells: [
        `uses ${graph}`,
        ...Object.entries(inputs).map(([to, from]) => `its ${to} from ${from}`),
        ...Object.entries(outputs).map(([to, from]) => `${to} from ${from}`),
      ],
    },
  }),
});
