import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

/** Asks again at falling temperature until an answer scores well enough, and keeps the best one. */
const annealingSchema = z
  .strictObject({
    /** Who scores an answer from 0 to 1. Absent: the answer carries its score at `score_path`. */
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

/** The agent may hand the run to one of these nodes instead of following the edges. */
const swarmSchema = z.strictObject({
  peers: z.array(idSchema).min(1).max(1_000),
  /** Hand-offs of the whole run. */
  max_handoffs: z.number().int().min(1).max(1_000).default(10),
});

/** Facts that earlier runs have left in the workspace's memory, newest first, with the labels they have. */
const recallSchema = z.strictObject({
  topics: z.array(idSchema).min(1).max(20),
  limit: z.number().int().min(1).max(100).default(20),
});

/** A model with tools. Its text goes to `write_to` (or the node's only write key); more keys through `save_to_memory`. */
export const agentConfigSchema = z.strictObject({
  agent_id: idSchema,
  /** What this node asks of the agent, in addition to the agent's own system prompt. */
  instructions: z.string().max(20_000).default(""),
  /** Where the agent's final answer goes. Absent: the only write key. */
  write_to: pathSchema.optional(),
  /** `json`: the answer is parsed as JSON before it is proposed. */
  answer: z.enum(["text", "json"]).default("text"),
  annealing: annealingSchema.optional(),
  swarm: swarmSchema.optional(),
  recall: recallSchema.optional(),
});
