import type { PublishedGraph } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { CLEAN, joinLabels, type Label } from "@/lib/graph/label";
import { getValueAtText } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { isSameValue } from "@/lib/leaves";
import type { Gate } from "@/lib/engine/event";
import type { CellPlace } from "@/lib/engine/labels/reading";
import { findCellsAt, toMemory, type RunState } from "@/lib/engine/state";

export type Origin = { readonly label: Label; readonly from: readonly CellPlace[] };

/**
 * Returns the origin of one argument of a gated call.
 * A tool node's constants are trusted by their publication and its reads have their cells' labels; other arguments are the proposal's.
 * @param proposal label and cells of the whole proposal
 */
export const findArgumentOrigin = (
  published: PublishedGraph,
  state: RunState,
  gate: Gate,
  proposal: Origin,
  [name, value]: readonly [string, Json],
): Origin => {
  const node = published.graph.nodes.find(({ id }) => id === gate.transition.node);
  const mapped = callsTool(node) && Object.hasOwn(node.config.arguments, name) ? node.config.arguments[name] : undefined;
  if (mapped === undefined || "item" in mapped) return proposal;
  // A person may have edited the value; a cell may have changed.
  if ("value" in mapped) return isSameValue(mapped.value, value) ? { label: CLEAN, from: [] } : proposal;
  const cells = findCellsAt(state.cells, mapped.from);
  if (cells.length === 0 || !isSameValue(getValueAtText(toMemory(state.cells), mapped.from), value)) return proposal;

  return { label: joinLabels(cells.map(({ label }) => label)), from: cells };
};
