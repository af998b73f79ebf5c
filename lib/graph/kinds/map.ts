import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { concurrencyField, errorStrategyField, instructionsField, resultField } from "@/lib/graph/kinds/fields";
import { requiredLink } from "@/lib/graph/kinds/links";
import { answerAtPath, listPath, noChoice, nothing, useAgent } from "@/lib/graph/kinds/parts";

const LIMITS = "Limits and failed items";

/** Runs the worker per item with its own grants, keeping order. */
export const mapConfigSchema = z.strictObject({
  worker_node: field(idSchema, {
    title: "Worker",
    description: "Runs once per item, with its own grants. Choose an agent, tool or transform without edges.",
    widget: "node",
    nodes: "workers",
  }),
  items: field(
    z.union([
      field(
        z.strictObject({
          from: field(pathSchema, { title: "List path", widget: "list_path" }),
          hold: field(z.literal(true).optional(), {
            title: "Hold for a person",
            description: "Under strict taint, the list may be one that is never clean: a person then decides every time.",
          }),
        }),
        { title: "A list in memory" },
      ),
      field(z.strictObject({ value: field(z.array(jsonSchema).max(1_000), { title: "List (JSON)", widget: "json" }) }), {
        title: "A fixed list",
      }),
    ]),
    { title: "Items" },
  ),
  write_to: resultField("Write results to"),
  synthesizer: field(
    z
      .strictObject({ agent_id: field(idSchema, { title: "Combining agent", widget: "agent" }), instructions: instructionsField() })
      .optional(),
    {
      title: "Combine results into one answer",
      description: "An agent combines the results. Its answer is written instead of the list.",
    },
  ),
  max_items: field(z.number().int().min(1).max(1_000).default(1_000), {
    title: "Max items",
    description: "Longer lists fail the node; items are never dropped.",
    section: LIMITS,
  }),
  max_concurrency: concurrencyField(LIMITS),
  error_strategy: errorStrategyField("When an item fails", LIMITS),
  errors_to: field(pathSchema.optional(), {
    title: "Write failed items to",
    description: "A list of index and code. If empty, not written.",
    widget: "path",
    section: LIMITS,
  }),
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
