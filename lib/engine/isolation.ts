/** Isolation: models see handles; only extracts, reviews and checks see untrusted values. */
import type { Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { labelSchema, type Label } from "@/lib/graph/label";
import { isAtOrBelow, parsePath, getValueAt, withValueAt, type Path } from "@/lib/graph/path";
import { freezeCopy, isJsonObject, countJsonBytes, type Json, type JsonObject } from "@/lib/json";
import { findAside, getKnownValue, type Cell, type Effect, type RunState } from "@/lib/engine/state";
import type { Task } from "@/lib/engine/task";

/** Workers count by their own kind; verifiers see values. */
const isModelled = (node: GraphNode, speaks: boolean): boolean => {
  const isolates = getKind(node).isolates(node.config);

  return isolates === "tasks" ? speaks : isolates;
};

export const isIsolated = ({ graph }: PublishedGraph, task: Pick<Task, "id" | "acting" | "agent">): boolean =>
  graph.isolate_untrusted && !task.id.startsWith("check.") && isModelled(task.acting, task.agent !== null);

const isTrusted = (label: Label): boolean => {
  const parsed = labelSchema.safeParse(label);

  return parsed.success && parsed.data.integrity !== "untrusted";
};

/** Power of two: the exact length would reveal something about the value. */
const sizeClass = (bytes: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, bytes)));

const typeOf = (value: Json): string => {
  if (value === null) return "null";

  return Array.isArray(value) ? "array" : typeof value;
};

export const handleOf = (key: string, value: Json | undefined, label: Label | null): JsonObject => ({
  $handle: {
    key,
    type: value === undefined ? "unknown" : typeOf(value),
    bytes: value === undefined ? 0 : sizeClass(countJsonBytes(value)),
    label: label && { integrity: label.integrity, confidentiality: label.confidentiality },
  },
});

/** One handle for all, since structure is untrusted too. */
const shownOf = (cell: Cell, below: Path, key: string): Json | undefined => {
  if (!isTrusted(cell.label) || !cell.content.known) return handleOf(key, getKnownValue(cell), cell.label);

  return getValueAt(cell.content.value, below);
};

const shownAt = (cells: readonly Cell[], path: Path): Json | undefined => {
  const placed = cells.flatMap((cell) => {
    const at = parsePath(cell.path);

    return at ? [{ cell, at }] : [];
  });
  // The newest cell at or above a path hides older ones.
  const base = placed.findLast(({ at }) => isAtOrBelow(path, at));
  const start = base && shownOf(base.cell, path.slice(base.at.length), path.join("."));

  return placed
    .filter(({ at }) => at.length > path.length && isAtOrBelow(at, path))
    .reduce<Json | undefined>((value, { cell, at }) => {
      const shown = shownOf(cell, [], cell.path);

      return shown === undefined ? value : withValueAt(value, at.slice(path.length), shown);
    }, start);
};

const safelyShownAt = (cells: readonly Cell[], path: Path): Json | undefined => {
  try {
    return shownAt(cells, path);
  } catch {
    return handleOf(path.join("."), undefined, null);
  }
};

export const isolateView = (graph: Graph, state: Pick<RunState, "cells">, paths: readonly string[]): JsonObject => {
  const declared = new Set(graph.memory.map(({ key }) => key));
  const view = paths.reduce<Json>((shown, text) => {
    const path = parsePath(text);
    const value = path && declared.has(path[0] ?? "") ? safelyShownAt(state.cells, path) : undefined;

    return path && value !== undefined ? withValueAt(shown, path, value) : shown;
  }, {});

  return isJsonObject(view) ? freezeCopy(view) : {};
};

/** Returns a worker's items; untrusted lists reveal only their count. */
export const isolateItems = (state: Pick<RunState, "cells">, from: string, count: number): readonly Json[] =>
  Array.from({ length: count }, (_, index) => {
    const path = parsePath(`${from}.${index}`);

    return (path && safelyShownAt(state.cells, path)) ?? handleOf(`${from}.${index}`, undefined, null);
  });

export const isolateAside = (state: RunState, path: string, value: Json): Json => {
  const cell = findAside(state, path).at(-1);
  if (!cell) return value;

  return isTrusted(cell.label) ? value : handleOf(path.replace(/^\$/u, ""), value, cell.label);
};

export const isolateResult = (state: RunState, effect: Effect, result: Json): Json => {
  const cell = findAside(state, `$result.${effect.effect_id}`).at(-1);

  return cell && isTrusted(cell.label) ? result : handleOf(`${effect.effect.server}/${effect.effect.tool}`, result, cell?.label ?? null);
};

const SPOKEN = ["$thread.", "$compacted."];

export const isWithheld = (cell: Cell): boolean => !SPOKEN.some((prefix) => cell.path.startsWith(prefix)) && !isTrusted(cell.label);
