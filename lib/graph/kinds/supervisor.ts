import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { instructionsField } from "@/lib/graph/kinds/fields";
import { listLink } from "@/lib/graph/kinds/links";
import { noAnswer, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

/** A model chooses managed nodes until done; then edges decide. */
const supervisorConfigSchema = z.strictObject({
  agent_id: field(idSchema, { title: "Choosing agent", widget: "own_agent" }),
  managed_nodes: field(z.array(idSchema).min(1).max(200), {
    title: "Managed nodes",
    description: "The agent chooses which one runs next. When it says the work is done, the edges decide.",
    widget: "node",
  }),
  instructions: instructionsField(),
  max_iterations: field(z.number().int().min(1).max(1_000).default(10), {
    title: "Max choices per run",
    description: "Reaching the limit fails the node with supervisor_limit.",
  }),
});

type Config = z.output<typeof supervisorConfigSchema>;

export const supervisorKind = defineKind({
  title: "Supervisor",
  about: "A model chooses which managed node runs next",
  config: supervisorConfigSchema,
  work: "proposal",
  agents: ({ agent_id: id }) => useAgent(id, "own"),
  tasks: none,
  links: [
    listLink<Config>({
      name: "managed",
      role: "route",
      line: { describe: (from, to) => `${from} can choose ${to}`, tone: "choice" },
      get: ({ managed_nodes: ids }) => ids,
      set: (config, ids) => ({ ...config, managed_nodes: ids ?? config.managed_nodes }),
    }),
  ],
  reads: () => ({ paths: [] }),
  answer: noAnswer,
  reports: none,
  rights: { reads: "grants", writes: "none" },
  isolates: () => true,
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: ({ managed_nodes: targets, max_iterations: most }) => ({ by: "goto", targets, most }),
  facts: nothing,
  powers: ({ managed_nodes: chooses, max_iterations: rounds }) => ({ may: { chooses }, most: { rounds } }),
});
