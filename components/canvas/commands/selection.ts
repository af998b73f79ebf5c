/** Selection helpers. */
import type { CanvasStore } from "@/components/canvas/state/canvas-store";

export const getFocusedNode = (store: CanvasStore): string | null => {
  const focused = document.activeElement?.closest(".react-flow__node")?.getAttribute("data-id");
  const { nodes } = store.getState().selection;

  return focused ?? (nodes.length === 1 ? (nodes[0] ?? null) : null);
};

export const listNodesInHand = (store: CanvasStore): readonly string[] => {
  const { selection } = store.getState();
  const focused = getFocusedNode(store);

  return selection.nodes.length > 0 || selection.edges.length > 0 || focused === null ? selection.nodes : [focused];
};

export const hasSelection = (store: CanvasStore): boolean => {
  const { nodes, edges } = store.getState().selection;

  return nodes.length > 0 || edges.length > 0;
};

export const listSelectedNodes = (store: CanvasStore): readonly string[] => {
  const { selection, history } = store.getState();
  const edges = new Set(selection.edges);
  const ends = history.document.edges.flatMap((edge) => (edges.has(edge.id) ? [edge.source, edge.target] : []));

  return [...new Set([...selection.nodes, ...ends])];
};

/** Delete in a form must not remove nodes. */
export const isOnCanvas = (): boolean => document.activeElement?.closest("[role='tabpanel']") === null || document.activeElement === null;
