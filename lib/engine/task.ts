import type { Agent, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { fillsForm, getKind, mapsItems } from "@/lib/graph/kind-of";
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
  mapsItems(node) && taskId.startsWith("item.")
    ? published.graph.nodes.find((candidate) => candidate.id === node.config.worker_node)
    : node;

const agentNamed = (published: PublishedGraph, id: string | undefined): Agent | null =>
  published.agents.find((agent) => agent.id === id) ?? null;

/** Returns the agent that caps the node's permissions. */
export const ownAgentId = (node: GraphNode): string | undefined =>
  getKind(node)
    .agents(node.config)
    .find(({ role }) => role === "own")?.id;

type Part = Omit<Task, "id">;

export const ownTask = (published: PublishedGraph, node: GraphNode): Task => ({
  id: "",
  acting: node,
  agent: agentNamed(published, ownAgentId(node)),
  item: null,
  judges: false,
  alone: fillsForm(node),
});

const speaker = (
  published: PublishedGraph,
  node: GraphNode,
  agentId: string | undefined,
  { judges, alone }: Pick<Part, "judges" | "alone">,
): Part | null => {
  const agent = agentNamed(published, agentId);

  return agent && { acting: node, agent, item: null, judges, alone };
};

const itemTask = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode & { kind: "map" },
  [index, attempt = 0]: readonly number[],
  isFirst: boolean,
): Part | null => {
  const worker = findActingIn(published, node, "item.");
  const items = mapItems(state, node)?.slice(0, node.config.max_items) ?? [];
  const value = index === undefined ? undefined : items[index];
  // The first attempt has no number, so ids are unique.
  const isAttempt = isFirst || (attempt > 0 && attempt < (worker?.failure_policy.attempts ?? 0));
  if (index === undefined || value === undefined || !worker || !isAttempt) return null;

  return { acting: worker, agent: agentNamed(published, ownAgentId(worker)), item: { index, value }, judges: false, alone: true };
};

const partOf = (published: PublishedGraph, state: RunState, node: GraphNode, name: string, numbers: readonly number[]): Part | null => {
  const [, check = -1] = numbers;
  if (name === "check" && numbers.length === 2) {
    return speaker(published, node, published.graph.verification?.checks[check]?.agent_id, { judges: true, alone: true });
  }
  if (mapsItems(node) && name === "item") return itemTask(published, state, node, numbers, numbers.length === 1);
  const family = getKind(node)
    .tasks(node.config)
    .find((one) => one.name === name && one.bounds.length === numbers.length);
  const isWithin = family?.bounds.every((bound, index) => (numbers[index] ?? bound) < bound) ?? false;

  return family && isWithin ? speaker(published, node, family.agentAt(numbers), family) : null;
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
