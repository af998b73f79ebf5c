import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { requiredLink } from "@/lib/graph/kinds/links";
import { answerAtPath, listPath, noChoice, nothing, useAgent } from "@/lib/graph/kinds/parts";

/** Runs the worker per item with its own grants, keeping order. */
export const mapConfigSchema = z.strictObject({
  /** An agent, tool or transform node that nothing else leads to. */
  worker_node: idSchema,
  items: z.union([z.strictObject({ from: pathSchema }), z.strictObject({ value: z.array(jsonSchema).max(1_000) })]),
  /** Longer lists fail the node. */
  max_items: z.number().int().min(1).max(1_000).default(1_000),
  max_concurrency: z.number().int().min(1).max(50).default(5),
  /** `best_effort`: a failed item is `null` among the results. */
  error_strategy: z.enum(["fail_fast", "best_effort"]).default("best_effort"),
  /** Path of the list of results. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** Path of `[{index, code}]` for failed items. */
  errors_to: pathSchema.optional(),
  /** Agent that combines the results into the one value that is written. */
  synthesizer: z.strictObject({ agent_id: idSchema, instructions: z.string().max(20_000).default("") }).optional(),
});

type Config = z.output<typeof mapConfigSchema>;

export const mapKind = defineKind({
  title: "Map",
  about: "Runs one worker for every item of a list",
  config: mapConfigSchema,
  work: "items",
  agents: ({ synthesizer }) => useAgent(synthesizer?.agent_id, "acting"),
  // Items are tasks of the worker node (lib/engine/task.ts).
  tasks: ({ synthesizer }) => [{ name: "synthesizer", bounds: [], agentAt: () => synthesizer?.agent_id, judges: false, alone: false }],
  links: [
    requiredLink<Config>({
      name: "worker",
      role: "part",
      line: { label: "for each item", describe: (from, to) => `${to} runs for ${from}, once per item`, tone: "worker" },
      get: ({ worker_node: id }) => id,
      set: (config, id) => ({ ...config, worker_node: id }),
    }),
  ],
  reads: ({ items }) => ({ paths: "from" in items ? [items.from] : [] }),
  answer: answerAtPath,
  reports: ({ errors_to: path }) => listPath(path),
  rights: { reads: "both", writes: "grants" },
  isolates: () => "tasks",
  proposes: "merges",
  editable: true,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ worker_node: worker, max_items: items, max_concurrency: together, items: list, error_strategy }) => ({
    may: { chooses: [worker] },
    most: { items, together },
    is: { rule: { items: list, error_strategy } },
  }),
});
