import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { bringIntoView } from "@/components/canvas/flow/bring-into-view";
import { findFreePlace } from "@/components/canvas/flow/free-place";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, STEP_PX } from "@/components/canvas/flow/geometry";
import { getCanvasMiddle } from "@/components/canvas/flow/screen";
import { createNode } from "@/components/canvas/kinds/kind-uis";
import type { Adding } from "@/components/canvas/state/canvas-view";
import type { EditOperation } from "@/lib/graph/edit";
import { addAfter } from "@/lib/graph/edit-edges";
import { createEdge } from "@/lib/graph/edit-nodes";
import type { NodeKind } from "@/lib/graph/kinds";

type Point = { readonly x: number; readonly y: number };

type Tools = Pick<CanvasTools, "store"> & {
  readonly flow: Pick<CanvasTools["flow"], "screenToFlowPosition" | "flowToScreenPosition" | "setCenter" | "getZoom">;
};

export const centerPoint = ({ x, y }: Point): Point => ({ x: x - NODE_WIDTH_PX / 2, y: y - NODE_HEIGHT_PX / 2 });

const placeHere = ({ store, flow }: Tools): Point => {
  const { history, selection } = store.getState();
  const after = selection.nodes.length === 1 ? history.document.nodes.find(({ id }) => id === selection.nodes[0]) : undefined;

  return after ? { x: after.position.x + STEP_PX, y: after.position.y } : centerPoint(flow.screenToFlowPosition(getCanvasMiddle()));
};

/** The only selected node, for a node without its own place. */
const continuedNode = ({ store }: Tools, at: Point | null): string | null => {
  const { nodes, edges } = store.getState().selection;

  return at === null && nodes.length === 1 && edges.length === 0 ? (nodes[0] ?? null) : null;
};

/**
 * Adds and selects a node, connected after the selected one.
 * @param at preferred corner; null: automatic
 * @param join node connected in the same edit
 */
export const addKind = (tools: Tools, kind: NodeKind, at: Point | null = null, join?: Adding["join"]): void => {
  const { history, catalog, readOnly, edit, select } = tools.store.getState();
  if (readOnly !== null) return;
  const graph = history.document;
  const { x, y } = at ?? placeHere(tools);
  const node = createNode(kind, graph, catalog, findFreePlace(graph, { x: Math.round(x), y: Math.round(y) }));
  const after = join?.as === "source" ? join.node : continuedNode(tools, at);
  const before: readonly EditOperation[] = join?.as === "target" ? [{ op: "add_edge", edge: createEdge(graph, node.id, join.node) }] : [];
  edit(after === null ? [{ op: "add_node", node }, ...before] : [...addAfter(graph, after, node), ...before]);
  select({ nodes: [node.id], edges: [] });
  bringIntoView(tools.flow, node.position);
};
