/** What a node is shown of memory: the paths it was granted, as frozen copies, and the cells they come from. */
import { intersectGrants, parsePath, valueAt, withValueAt } from "@/lib/graph/path";
import type { Agent, Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { joinLabels, type Label } from "@/lib/graph/label";
import { frozenCopy, isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { asideAt, cellsAt, memoryOf, type Cell, type RunState } from "@/lib/engine/state";

/** The grants as paths: `*` stands for every declared key. */
export const expandGrants = (graph: Graph, grants: readonly string[]): readonly string[] =>
  grants.includes("*") ? graph.memory.map((declared) => declared.key) : grants;

export const agentOf = (published: PublishedGraph, node: GraphNode): Agent | null =>
  node.kind === "agent" ? (published.agents.find((agent) => agent.id === node.config.agent_id) ?? null) : null;

export type Grants = { readonly read: readonly string[]; readonly write: readonly string[] };

/** Agent ∩ node. The agent's permissions are a ceiling: absent caps nothing, `[]` allows nothing. */
export const effectiveGrants = (published: PublishedGraph, node: GraphNode): Grants => {
  const ceiling = agentOf(published, node)?.permissions;

  return {
    read: intersectGrants(node.read_keys, ceiling?.read_keys),
    write: intersectGrants(node.write_keys, ceiling?.write_keys),
  };
};

export type View = { readonly value: JsonObject; readonly cells: readonly Cell[] };

/** Memory cut down to `grants`. A missing path is simply absent; a sibling of a granted path never shows. */
export const viewOf = (graph: Graph, state: RunState, grants: readonly string[]): View => {
  const memory = memoryOf(state.cells);
  const declared = new Set(graph.memory.map((key) => key.key));
  const paths = expandGrants(graph, grants).filter((grant) => declared.has(parsePath(grant)?.[0] ?? ""));
  const value = paths.reduce<Json>((view, grant) => {
    const path = parsePath(grant);
    const found = path ? valueAt(memory, path) : undefined;

    return path && found !== undefined ? withValueAt(view, path, found) : view;
  }, {});
  const cells = [...new Set(paths.flatMap((path) => cellsAt(state.cells, path)))];

  return { value: isJsonObject(value) ? frozenCopy(value) : {}, cells };
};

/** Everything that could have influenced what the current node says: its view, its thread and results, the way here. */
export const contextLabel = (published: PublishedGraph, state: RunState, node: GraphNode): Label => {
  const own = state.aside.filter((cell) => cell.path.startsWith(`$thread.${state.activation}.`));
  const results = Object.values(state.effects)
    .filter((effect) => effect.activation === state.activation)
    .flatMap((effect) => asideAt(state, `$result.${effect.effect_id}`));
  // These two kinds are given what the run was asked for, besides memory.
  const asked = node.kind === "agent" || node.kind === "transform" ? [...asideAt(state, "$goal"), ...asideAt(state, "$constraints")] : [];
  const seen = viewOf(published.graph, state, effectiveGrants(published, node).read).cells;

  return joinLabels([state.controlLabel, ...[...seen, ...own, ...results, ...asked].map((cell) => cell.label)]);
};
