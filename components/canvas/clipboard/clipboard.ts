import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { listNodesInHand } from "@/components/canvas/commands/selection";
import { removeSelected } from "@/components/canvas/commands/editing";
import { bringIntoView } from "@/components/canvas/flow/bring-into-view";
import { getCanvasMiddle } from "@/components/canvas/flow/screen";
import { notify } from "@/components/ui/toast";
import { copyFragment, hasRoomFor, pasteFragment, readFragment, type Fragment } from "@/lib/graph/fragment";
import { placeBelowOriginals, findFreeCorner } from "./place";

type Tools = Pick<CanvasTools, "store" | "view" | "flow">;

const MAX_CHARACTERS = 8_000_000;

const count = (items: readonly unknown[], one: string): string => `${items.length} ${one}${items.length === 1 ? "" : "s"}`;

const inHand = ({ store }: Pick<Tools, "store">): Fragment | null => {
  const { history, graphId } = store.getState();

  return copyFragment(history.document, listNodesInHand(store), graphId);
};

/** @returns the selection as text, or null */
export const copyEntry = (tools: Pick<Tools, "store">): string | null => {
  const fragment = inHand(tools);
  if (fragment) notify({ title: `Copied ${count(fragment.nodes, "node")}` });

  return fragment && JSON.stringify(fragment, null, 2);
};

/** Copies and removes the selection. */
export const cut = (tools: Pick<Tools, "store">): string | null => {
  const fragment = inHand(tools);
  if (fragment) removeSelected(tools.store, false);

  return fragment && JSON.stringify(fragment, null, 2);
};

const add = ({ store, flow }: Tools, fragment: Fragment, wanted: { x: number; y: number }): void => {
  const { history, graphId, edit, select } = store.getState();
  const graph = history.document;
  if (!hasRoomFor(graph, fragment)) {
    notify({ title: "The graph is too large for this", tone: "error" });

    return;
  }
  const at = findFreeCorner(graph, fragment, wanted);
  const { edits, nodes, edges, memory } = pasteFragment(graph, fragment, graphId, at);
  edit(edits);
  select({ nodes, edges });
  bringIntoView(flow, at);
  // Added nodes are visible, memory keys are not.
  if (memory.length > 0) notify({ title: `Also pasted ${count(memory, "memory key")}`, description: memory.slice(0, 5).join(", ") });
};

/** At the pointer, below the originals, or in the middle of the view. */
const placeFor = ({ store, view, flow }: Tools, fragment: Fragment) => {
  const { pointer } = view.getState();
  if (pointer) return flow.screenToFlowPosition(pointer);

  return fragment.origin === store.getState().graphId ? placeBelowOriginals(fragment) : flow.screenToFlowPosition(getCanvasMiddle());
};

/** Pastes a graph from text, or reports none. */
export const paste = (tools: Tools, text: string): void => {
  const { readOnly } = tools.store.getState();
  if (readOnly !== null) {
    notify({ title: "Nothing was pasted", description: readOnly, tone: "error" });

    return;
  }
  const fragment = text.length > MAX_CHARACTERS ? null : readFragment(text);
  if (fragment) add(tools, fragment, placeFor(tools, fragment));
  else notify({ title: "The clipboard has no nodes", description: "Nothing was changed.", tone: "error" });
};

/** Copies the selection below it. */
export const duplicate = (tools: Tools): void => {
  const fragment = inHand(tools);
  if (fragment) add(tools, fragment, placeBelowOriginals(fragment));
};
