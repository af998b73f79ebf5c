/** What a task is shown of memory: the paths it was granted, as frozen copies, and the cells they come from. */
import { intersectGrants, isGranted, parsePath, valueAt, withValueAt } from "@/lib/graph/path";
import type { Agent, Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { joinLabels, type Label } from "@/lib/graph/label";
import { frozenCopy, isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { isIsolated, isolatedView, isWithheld } from "@/lib/engine/isolation";
import { notesPath } from "@/lib/engine/approvals/notes";
import { asideAt, cellsAt, controlLabel, memoryOf, type Cell, type RunState } from "@/lib/engine/state";
import { actingIn, ownAgentId, taskOf, type Task } from "@/lib/engine/task";

/** The grants as paths: `*` stands for every declared key. */
export const expandGrants = (graph: Graph, grants: readonly string[]): readonly string[] =>
  grants.includes("*") ? graph.memory.map((declared) => declared.key) : grants;

/** The agent that a node itself stands for. */
export const agentOf = (published: PublishedGraph, node: GraphNode): Agent | null => {
  const id = ownAgentId(node);

  return published.agents.find((agent) => agent.id === id) ?? null;
};

export type Grants = { readonly read: readonly string[]; readonly write: readonly string[] };

/** What the kinds of a review zone look at: these paths and nothing else, however much the node was granted. */
const zonePaths = (node: GraphNode): readonly string[] | undefined => {
  if (node.kind === "extract" || node.kind === "judge") return [node.config.from];

  return node.kind === "review" ? [node.config.target, ...(node.config.source === undefined ? [] : [node.config.source])] : undefined;
};

/** `*` caps nothing here: what is narrowed is narrowed to paths. */
const narrowed = (grants: readonly string[], paths: readonly string[] | undefined): readonly string[] =>
  paths?.filter((path) => isGranted(grants, parsePath(path) ?? [])) ?? grants;

/** Agent ∩ node. The agent's permissions are a ceiling: absent caps nothing, `[]` allows nothing. */
const grantsUnder = (node: GraphNode, agent: Agent | null): Grants => ({
  read: narrowed(intersectGrants(node.read_keys, agent?.permissions.read_keys), zonePaths(node)),
  write: intersectGrants(node.write_keys, agent?.permissions.write_keys),
});

export const effectiveGrants = (published: PublishedGraph, node: GraphNode): Grants => grantsUnder(node, agentOf(published, node));

/** What a task may read and write by itself. Only a node's own work writes: the others' results are the node's to propose. */
export const taskGrants = (task: Task): Grants => {
  const grants = grantsUnder(task.acting, task.agent);

  return { read: task.judges ? [] : grants.read, write: task.id === "" ? grants.write : [] };
};

const declaredPaths = (graph: Graph, grants: readonly string[]): readonly string[] => {
  const declared = new Set(graph.memory.map((key) => key.key));

  return expandGrants(graph, grants).filter((grant) => declared.has(parsePath(grant)?.[0] ?? ""));
};

/** Memory cut down to `grants`, as a frozen copy. A missing path is simply absent; a sibling of a granted path never shows. */
export const viewOf = (graph: Graph, state: RunState, grants: readonly string[]): JsonObject => {
  const memory = memoryOf(state.cells);
  const value = declaredPaths(graph, grants).reduce<Json>((view, grant) => {
    const path = parsePath(grant);
    const found = path ? valueAt(memory, path) : undefined;

    return path && found !== undefined ? withValueAt(view, path, found) : view;
  }, {});

  return isJsonObject(value) ? frozenCopy(value) : {};
};

/** The cells that the view comes from. */
const viewCells = (graph: Graph, state: RunState, grants: readonly string[]): readonly Cell[] => [
  ...new Set(declaredPaths(graph, grants).flatMap((path) => cellsAt(state.cells, path))),
];

/** The memory that a task is shown: all that it was granted, or handles where the graph isolates what is untrusted. */
export const shownTo = (published: PublishedGraph, state: RunState, task: Task): JsonObject => {
  const { read } = taskGrants(task);
  if (!isIsolated(published, task)) return viewOf(published.graph, state, read);

  return isolatedView(published.graph, state, expandGrants(published.graph, read));
};

/** The cells that a map's item comes from. */
const itemCells = (state: RunState, node: GraphNode, task: Task): readonly Cell[] => {
  if (task.item === null || node.kind !== "map" || !("from" in node.config.items)) return [];

  return cellsAt(state.cells, node.config.items.from);
};

/** The memory that a task is given: its view, and the item that it works on. */
export const taskCells = (published: PublishedGraph, state: RunState, node: GraphNode, task: Task): readonly Cell[] => [
  ...new Set([...viewCells(published.graph, state, taskGrants(task).read), ...itemCells(state, node, task)]),
];

/** These are given nothing but memory; every other kind is told what the run was asked for. */
const UNASKED: readonly GraphNode["kind"][] = ["tool", "router", "approval", "extract", "review", "judge"];

const isAsked = (node: GraphNode): boolean => !UNASKED.includes(node.kind);

/** What this visit has brought up so far: conversations, answers of tools, what was recalled, and what people asked for. One task's, or all. */
const visitCells = (state: RunState, taskId: string | null): readonly Cell[] => {
  const prefix = `$thread.${state.activation}.`;
  // What those said who verify a call reaches nobody but the count of their verdicts.
  const isTaskOf = (task: string) => (taskId === null ? !task.startsWith("check.") : task === taskId);
  const threads = state.aside.filter(
    ({ path }) => path.startsWith(prefix) && isTaskOf(path.slice(prefix.length).replace(/^[0-9]+\.?/u, "")),
  );
  const results = Object.values(state.effects)
    .filter((effect) => effect.activation === state.activation && (taskId === null || effect.task === taskId))
    .flatMap((effect) => asideAt(state, `$result.${effect.effect_id}`));

  return [...threads, ...results, ...asideAt(state, `$recall.${state.activation}`), ...asideAt(state, notesPath(state.activation))];
};

/** What a map's results rest on: its list, however short it is, and what its worker may read. */
const workerCells = (published: PublishedGraph, state: RunState, node: GraphNode): readonly Cell[] => {
  const worker = actingIn(published, node, "item.");
  if (node.kind !== "map" || !worker) return [];
  const listed = "from" in node.config.items ? cellsAt(state.cells, node.config.items.from) : [];

  return [...listed, ...viewCells(published.graph, state, effectiveGrants(published, worker).read)];
};

/**
 * Every cell that could have influenced what a task of the current node says: what it may read, its conversation and the
 * results it got. Of a task that does not work alone, and of the node as a whole, everything that this visit brought up.
 */
export const influences = (published: PublishedGraph, state: RunState, node: GraphNode, taskId = ""): readonly Cell[] => {
  const task = taskOf(published, state, node, taskId);
  if (!task) return [];
  const given = [...taskCells(published, state, node, task), ...(task.alone ? [] : workerCells(published, state, node))];
  const asked = isAsked(task.acting) ? [...asideAt(state, "$goal"), ...asideAt(state, "$constraints")] : [];
  // A judge reads nothing by itself, but what it judges was made of everything that the node may read.
  const judged = task.judges ? viewCells(published.graph, state, zonePaths(node) ?? node.read_keys) : [];

  const all = [...new Set([...given, ...judged, ...visitCells(state, task.alone ? taskId : null), ...asked])];

  return isIsolated(published, task) ? all.filter((cell) => !isWithheld(cell)) : all;
};

/** The label of what somebody says who was influenced by these: theirs, and that of the way here. */
export const labelUnder = (state: RunState, influencing: readonly Cell[]): Label =>
  joinLabels([controlLabel(state), ...influencing.map((cell) => cell.label)]);

/** The label of what a task says: of everything that could have influenced it, and of the way here. */
export const contextLabel = (published: PublishedGraph, state: RunState, node: GraphNode, taskId = ""): Label =>
  labelUnder(state, influences(published, state, node, taskId));
