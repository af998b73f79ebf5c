import type { Agent, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { parsePath, getValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { taskIdSchema } from "@/lib/engine/task-id";
import { toMemory, type RunState } from "@/lib/engine/state";

export type Task = {
  readonly id: string;
  readonly acting: GraphNode;
  readonly agent: Agent | null;
  readonly item: { readonly index: number; readonly value: Json } | null;
  /** Sees only its subject, without tools or memory. */
  readonly judges: boolean;
  readonly alone: boolean;
};

/** Returns a map's items, or null. */
export const mapItems = (state: RunState, node: GraphNode & { kind: "map" }): readonly Json[] | null => {
  const { items } = node.config;
  if ("value" in items) return items.value;
  const value = getValueAt(toMemory(state.cells), parsePath(items.from) ?? []);

  return Array.isArray(value) ? value : null;
};

/** Returns the node with the grants: for maps, the worker. */
export const findActingIn = (published: PublishedGraph, node: GraphNode, taskId: string): GraphNode | undefined =>
  node.kind === "map" && taskId.startsWith("item.")
    ? published.graph.nodes.find((candidate) => candidate.id === node.config.worker_node)
    : node;

const agentNamed = (published: PublishedGraph, id: string | undefined): Agent | null =>
  published.agents.find((agent) => agent.id === id) ?? null;

/** Returns the agent that caps the node's permissions. */
export const ownAgentId = (node: GraphNode): string | undefined => {
  switch (node.kind) {
    case "agent":
    case "supervisor":
    case "synthesizer":
    case "extract":
      return node.config.agent_id;
    case "reflection":
      return node.config.extractor.type === "agent" ? node.config.extractor.agent_id : undefined;
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "map":
    case "voting":
    case "evolution":
    case "verifier":
    case "subgraph":
    case "review":
    case "judge":
      return undefined;
    default:
      return node satisfies never;
  }
};

type Part = Omit<Task, "id">;

export const ownTask = (published: PublishedGraph, node: GraphNode): Task => ({
  id: "",
  acting: node,
  agent: agentNamed(published, ownAgentId(node)),
  item: null,
  judges: false,
  alone: node.kind === "extract",
});

const speaker = (
  published: PublishedGraph,
  node: GraphNode,
  agentId: string | undefined,
  kind: Pick<Part, "judges" | "alone">,
): Part | null => {
  const agent = agentNamed(published, agentId);

  return agent && { acting: node, agent, item: null, ...kind };
};

const mapTask = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode & { kind: "map" },
  name: string,
  numbers: readonly number[],
): Part | null => {
  if (name === "synthesizer" && numbers.length === 0) {
    return speaker(published, node, node.config.synthesizer?.agent_id, { judges: false, alone: false });
  }
  const [index, attempt = 0] = numbers;
  const worker = findActingIn(published, node, "item.");
  const items = mapItems(state, node)?.slice(0, node.config.max_items) ?? [];
  const value = index === undefined ? undefined : items[index];
  // The first attempt has no number, so ids are unique.
  const isAttempt = numbers.length === 1 || (attempt > 0 && attempt < (worker?.failure_policy.attempts ?? 0));
  if (name !== "item" || index === undefined || value === undefined || !worker || !isAttempt) return null;

  return { acting: worker, agent: agentNamed(published, ownAgentId(worker)), item: { index, value }, judges: false, alone: true };
};

const partOf = (published: PublishedGraph, state: RunState, node: GraphNode, name: string, numbers: readonly number[]): Part | null => {
  const [first = -1, second = -1] = numbers;
  if (name === "check" && numbers.length === 2) {
    return speaker(published, node, published.graph.verification?.checks[second]?.agent_id, { judges: true, alone: true });
  }
  switch (node.kind) {
    case "agent": {
      const { annealing } = node.config;
      if (!annealing || numbers.length !== 1 || first >= annealing.max_iterations) return null;
      if (name === "try") return speaker(published, node, node.config.agent_id, { judges: false, alone: false });

      return name === "score" ? speaker(published, node, annealing.evaluator_id, { judges: true, alone: false }) : null;
    }
    case "map":
      return mapTask(published, state, node, name, numbers);
    case "voting":
      if (name === "voter" && numbers.length === 1) {
        return speaker(published, node, node.config.voters[first]?.agent_id, { judges: false, alone: true });
      }

      return name === "judge" && numbers.length === 0
        ? speaker(published, node, node.config.judge_id, { judges: true, alone: false })
        : null;
    case "evolution": {
      const { config } = node;
      if (numbers.length !== 2 || first >= config.max_generations || second >= config.population_size) return null;
      if (name === "candidate") return speaker(published, node, config.candidate_id, { judges: false, alone: false });
      const judge = "agent_id" in config.fitness ? config.fitness.agent_id : undefined;

      return name === "score" ? speaker(published, node, judge, { judges: true, alone: false }) : null;
    }
    case "verifier": {
      const judge = node.config.check.type === "judge" ? node.config.check.agent_id : undefined;

      return name === "judge" && numbers.length === 0 ? speaker(published, node, judge, { judges: true, alone: false }) : null;
    }
    case "review": {
      const reviewer = node.config.reviewers[first];
      const isOne = name === "reviewer" && numbers.length === 1 && reviewer?.type === "agent";

      return isOne ? speaker(published, node, reviewer.agent_id, { judges: true, alone: true }) : null;
    }
    case "supervisor":
    case "synthesizer":
    case "reflection":
    case "tool":
    case "router":
    case "transform":
    case "approval":
    case "subgraph":
    case "extract":
    case "judge":
      return null;
    default:
      return node satisfies never;
  }
};

/**
 * Returns the task of an id:
 * - agent: `""`; with annealing `try.<n>` and `score.<n>`
 * - map: `item.<index>` (`item.<index>.<n>` for its retries) and `synthesizer`
 * - voting: `voter.<index>` and `judge`; verifier: `judge`; review: `reviewer.<index>`
 * - evolution: `candidate.<generation>.<index>` and `score.<generation>.<index>`
 * - every other kind: `""`; a node whose calls are verified: `check.<case>.<index>`
 * @returns null when the node has no such task
 */
export const findTask = (published: PublishedGraph, state: RunState, node: GraphNode, id: string): Task | null => {
  if (!taskIdSchema.safeParse(id).success) return null;
  const [name = "", ...digits] = id.split(".");
  const part = id === "" ? ownTask(published, node) : partOf(published, state, node, name, digits.map(Number));

  return part && { ...part, id };
};
