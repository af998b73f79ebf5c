import { oncePer } from "@/lib/once-per";
import { getKind, isInZone, mapsItems, seesGoal } from "@/lib/graph/kind-of";
import { intersectGrants, isGranted, parsePath, getValueAt, withValueAt } from "@/lib/graph/path";
import type { Agent, Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { createSourceLabel, joinLabels, type Label } from "@/lib/graph/label";
import { freezeCopy, isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { isIsolated, isolateView, isWithheld } from "@/lib/engine/isolation";
import { getNotesPath } from "@/lib/engine/approvals/notes";
import { findAside, findCellsAt, findCellsAtPath, getControlLabel, toMemory, type Cell, type RunState } from "@/lib/engine/state";
import { findActingIn, ownAgentId, findTask, type Task } from "@/lib/engine/task";

export const expandGrants = (graph: Graph, grants: readonly string[]): readonly string[] =>
  grants.includes("*") ? graph.memory.map((declared) => declared.key) : grants;

export const findAgent = (published: PublishedGraph, node: GraphNode): Agent | null => {
  const id = ownAgentId(node);

  return published.agents.find((agent) => agent.id === id) ?? null;
};

export type Grants = { readonly read: readonly string[]; readonly write: readonly string[] };

const zonePaths = (node: GraphNode): readonly string[] | undefined => (isInZone(node) ? getKind(node).reads(node.config).paths : undefined);

/** `*` is no cap: narrowing yields paths. */
const narrowed = (grants: readonly string[], paths: readonly string[] | undefined): readonly string[] =>
  paths?.filter((path) => isGranted(grants, parsePath(path) ?? [])) ?? grants;

const grantsUnder = (node: GraphNode, agent: Agent | null): Grants => ({
  read: narrowed(intersectGrants(node.read_keys, agent?.permissions.read_keys), zonePaths(node)),
  write: intersectGrants(node.write_keys, agent?.permissions.write_keys),
});

const bareGrants = oncePer((node: GraphNode): Grants => grantsUnder(node, null));
const agentGrants = oncePer((node: GraphNode) => oncePer((agent: Agent): Grants => grantsUnder(node, agent)));
const grantsOf = (node: GraphNode, agent: Agent | null): Grants => (agent ? agentGrants(node)(agent) : bareGrants(node));

export const getEffectiveGrants = (published: PublishedGraph, node: GraphNode): Grants => grantsOf(node, findAgent(published, node));

const NOTHING: readonly string[] = [];

/** Only the node's own task writes. */
export const getTaskGrants = (task: Task): Grants => {
  const grants = grantsOf(task.acting, task.agent);

  return { read: task.judges ? NOTHING : grants.read, write: task.id === "" ? grants.write : NOTHING };
};

const declaredPaths = oncePer((graph: Graph) => {
  const declared = new Set(graph.memory.map((key) => key.key));

  return oncePer((grants: readonly string[]) =>
    expandGrants(graph, grants).flatMap((text) => {
      const path = parsePath(text);

      return path && declared.has(path[0] ?? "") ? [path] : [];
    }),
  );
});

export const buildView = (graph: Graph, state: RunState, grants: readonly string[]): JsonObject => {
  const memory = toMemory(state.cells);
  const value = declaredPaths(graph)(grants).reduce<Json>((view, path) => {
    const found = getValueAt(memory, path);

    return found === undefined ? view : withValueAt(view, path, found);
  }, {});

  return isJsonObject(value) ? freezeCopy(value) : {};
};

const viewCells = (graph: Graph, state: RunState, grants: readonly string[]): readonly Cell[] => [
  ...new Set(declaredPaths(graph)(grants).flatMap((path) => findCellsAtPath(state.cells, path))),
];

export const getShownTo = (published: PublishedGraph, state: RunState, task: Task): JsonObject => {
  const { read } = getTaskGrants(task);
  if (!isIsolated(published, task)) return buildView(published.graph, state, read);

  return isolateView(published.graph, state, expandGrants(published.graph, read));
};

const itemCells = (state: RunState, node: GraphNode, task: Task): readonly Cell[] => {
  if (task.item === null || !mapsItems(node) || !("from" in node.config.items)) return [];

  return findCellsAt(state.cells, node.config.items.from);
};

export const listTaskCells = (published: PublishedGraph, state: RunState, node: GraphNode, task: Task): readonly Cell[] => [
  ...new Set([...viewCells(published.graph, state, getTaskGrants(task).read), ...itemCells(state, node, task)]),
];

const visitCells = (state: RunState, taskId: string | null): readonly Cell[] => {
  const prefixes = [`$thread.${state.activation}.`, `$compacted.${state.activation}.`];
  // Verifiers reach only the count of verdicts.
  const isTaskOf = (task: string) => (taskId === null ? !task.startsWith("check.") : task === taskId);
  const threads = state.aside.filter(({ path }) =>
    prefixes.some((prefix) => path.startsWith(prefix) && isTaskOf(path.slice(prefix.length).replace(/^[0-9]+\.?/u, ""))),
  );
  const results = Object.values(state.effects)
    .filter((effect) => effect.activation === state.activation && (taskId === null || effect.task === taskId))
    .flatMap((effect) => findAside(state, `$result.${effect.effect_id}`));

  return [...threads, ...results, ...findAside(state, `$recall.${state.activation}`), ...findAside(state, getNotesPath(state.activation))];
};

/** A map's list influences its results even if empty. */
const workerCells = (published: PublishedGraph, state: RunState, node: GraphNode): readonly Cell[] => {
  const worker = findActingIn(published, node, "item.");
  if (!mapsItems(node) || !worker) return [];
  const listed = "from" in node.config.items ? findCellsAt(state.cells, node.config.items.from) : [];

  return [...listed, ...viewCells(published.graph, state, getEffectiveGrants(published, worker).read)];
};

export const listInfluences = (published: PublishedGraph, state: RunState, node: GraphNode, taskId = ""): readonly Cell[] => {
  const task = findTask(published, state, node, taskId);
  if (!task) return [];
  const given = [...listTaskCells(published, state, node, task), ...(task.alone ? [] : workerCells(published, state, node))];
  const asked = seesGoal(task.acting) ? [...findAside(state, "$goal"), ...findAside(state, "$constraints")] : [];
  // Its subject derives from all the node may read.
  const judged = task.judges ? viewCells(published.graph, state, zonePaths(node) ?? node.read_keys) : [];

  const all = [...new Set([...given, ...judged, ...visitCells(state, task.alone ? taskId : null), ...asked])];

  return isIsolated(published, task) ? all.filter((cell) => !isWithheld(cell)) : all;
};

const labelUnder = (state: RunState, influencing: readonly Cell[]): Label =>
  joinLabels([getControlLabel(state), ...influencing.map((cell) => cell.label)]);

export const getContextLabel = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  taskId = "",
  influencing = listInfluences(published, state, node, taskId),
): Label => {
  const speaker = findTask(published, state, node, taskId)?.agent;
  const label = labelUnder(state, influencing);

  return speaker ? joinLabels([label, createSourceLabel("trusted", "public", `agent:${speaker.id}`)]) : label;
};
