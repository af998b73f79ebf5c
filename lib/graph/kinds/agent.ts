import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { listLink } from "@/lib/graph/kinds/links";
import { answerAtPath, none, useAgent, useJudge } from "@/lib/graph/kinds/parts";

/** Retries at falling temperature and keeps the best answer. */
const annealingSchema = z
  .strictObject({
    /** Agent that scores an answer from 0 to 1. Absent: the answer contains its score at `score_path`. */
    evaluator_id: idSchema.optional(),
    criteria: z.string().max(4_000).default(""),
    score_path: pathSchema.default("score"),
    threshold: z.number().min(0).max(1).default(0.8),
    max_iterations: z.number().int().min(1).max(1_000).default(5),
    initial_temperature: z.number().min(0).max(2).default(1),
    final_temperature: z.number().min(0).max(2).default(0.2),
    /** An improvement smaller than this ends the search. */
    diminishing_returns_delta: z.number().min(0).max(1).default(0.02),
  })
  .refine((options) => options.final_temperature <= options.initial_temperature, "the final temperature must not exceed the initial one");

/** Nodes for hand-offs instead of edges. */
const swarmSchema = z.strictObject({
  peers: z.array(idSchema).min(1).max(1_000),
  /** Hand-offs of the whole run. */
  max_handoffs: z.number().int().min(1).max(1_000).default(10),
});

/** Facts of earlier runs, newest first, with labels. */
const recallSchema = z.strictObject({
  topics: z.array(idSchema).min(1).max(20),
  limit: z.number().int().min(1).max(100).default(20),
});

/** Model with tools; writes other keys through `save_to_memory`. */
export const agentConfigSchema = z.strictObject({
  agent_id: idSchema,
  /** Task, added to the agent's system prompt. */
  instructions: z.string().max(20_000).default(""),
  /** Path of the final answer. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** `json`: the answer is parsed as JSON before it is proposed. */
  answer: z.enum(["text", "json"]).default("text"),
  annealing: annealingSchema.optional(),
  swarm: swarmSchema.optional(),
  recall: recallSchema.optional(),
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
