import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { field, withBounds } from "@/lib/graph/field";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerField, criteriaField, instructionsField, resultField, temperatureFields } from "@/lib/graph/kinds/fields";
import { listLink } from "@/lib/graph/kinds/links";
import { answerAtPath, none, useAgent, useJudge } from "@/lib/graph/kinds/parts";

/** Retries at falling temperature and keeps the best answer. */
const annealingSchema = withBounds(
  z.strictObject({
    evaluator_id: field(idSchema.optional(), {
      title: "Scored by",
      description: "Agent that scores an answer from 0 to 1.",
      none: "No agent: the answer includes its score",
      widget: "agent",
      isPreset: true,
    }),
    criteria: criteriaField({ when: ({ evaluator_id: id }) => id !== undefined }),
    score_path: field(pathSchema.default("score"), {
      title: "Path of the score in the answer",
      widget: "path",
      when: ({ evaluator_id: id }) => id === undefined,
    }),
    threshold: field(z.number().min(0).max(1).default(0.8), {
      title: "Score threshold",
      description: "An answer with this score ends the search.",
    }),
    max_iterations: field(z.number().int().min(1).max(1_000).default(5), { title: "Max answers" }),
    ...temperatureFields(0.2),
    diminishing_returns_delta: field(z.number().min(0).max(1).default(0.02), { title: "Stop when improvement is below" }),
  }),
);

/** Nodes for hand-offs instead of edges. */
const swarmSchema = z.strictObject({
  peers: field(z.array(idSchema).min(1).max(1_000), { title: "Peers", widget: "node" }),
  max_handoffs: field(z.number().int().min(1).max(1_000).default(10), { title: "Max hand-offs per run" }),
});

/** Facts of earlier runs, newest first, with labels. */
const recallSchema = z.strictObject({
  topics: field(z.array(idSchema).min(1).max(20), { title: "Topics", widget: "topic", noun: "topic" }),
  limit: field(z.number().int().min(1).max(100).default(20), { title: "Max facts" }),
});

/** Model with tools; writes other keys through `save_to_memory`. */
export const agentConfigSchema = z.strictObject({
  agent_id: field(idSchema, { title: "Agent", widget: "own_agent" }),
  instructions: instructionsField({ rows: 6 }),
  answer: answerField(),
  write_to: resultField("Write answer to"),
  annealing: field(annealingSchema.optional(), {
    title: "Retry until good enough",
    description: "Annealing: scores answers at falling temperature and keeps the best one.",
  }),
  swarm: field(swarmSchema.optional(), {
    title: "Hand off to peers",
    description: "Swarm: the agent can hand off the run to one of these nodes instead of following the edges.",
  }),
  recall: field(recallSchema.optional(), {
    title: "Recall earlier runs",
    description: "Facts that reflections stored, newest first, with their labels.",
  }),
});

type Config = z.output<typeof agentConfigSchema>;

export const agentKind = defineKind({
  title: "Agent",
  about: "A model with tools proposes a value",
  config: agentConfigSchema,
  work: "proposal",
  agents: ({ agent_id: id, annealing }) => [
    ...useAgent(id, "own", annealing?.max_iterations),
    ...useJudge(annealing?.evaluator_id, "own", annealing?.max_iterations),
  ],
  tasks: ({ agent_id: id, annealing }) => {
    if (!annealing) return [];
    const bounds = [annealing.max_iterations];

    return [
      { name: "try", bounds, agentAt: () => id, judges: false, alone: false },
      { name: "score", bounds, agentAt: () => annealing.evaluator_id, judges: true, alone: false },
    ];
  },
  links: [
    listLink<Config>({
      name: "peer",
      role: "route",
      line: { label: "can hand off", describe: (from, to) => `${from} can hand off to ${to}`, tone: "choice" },
      get: ({ swarm }) => swarm?.peers,
      set: (config, peers) => (config.swarm && peers ? { ...config, swarm: { ...config.swarm, peers } } : config),
    }),
  ],
  reads: () => ({ paths: [] }),
  answer: answerAtPath,
  reports: none,
  rights: { reads: "grants", writes: "agents" },
  isolates: () => true,
  proposes: "updates",
  editable: true,
  worksOnItems: true,
  choice: ({ swarm }) => swarm && { by: "handoff", targets: swarm.peers, most: swarm.max_handoffs },
  facts: ({ recall }) => ({ recalled: recall }),
  powers: ({ annealing, swarm, recall }) => ({
    may: { ...(swarm ? { chooses: swarm.peers } : {}), ...(recall ? { recalls: recall.topics } : {}) },
    most: {
      ...(annealing ? { rounds: annealing.max_iterations } : {}),
      ...(swarm ? { items: swarm.max_handoffs } : {}),
      ...(recall ? { size: recall.limit } : {}),
    },
    is: annealing ? { rule: { ...annealing, criteria: "" } } : {},
  }),
});
