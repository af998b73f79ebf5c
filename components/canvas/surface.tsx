"use client";

import { useReactFlow, type OnConnectEnd } from "@xyflow/react";
import { useCallback, useState, type DragEvent, type MouseEvent, type PointerEvent } from "react";
import { addKind, centerPoint } from "@/components/canvas/adding/add-kind";
import { readDroppedKind, isKindDragged } from "@/components/canvas/adding/drag-kind";
import { KindPicker } from "@/components/canvas/adding/kind-picker";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { CanvasPane } from "@/components/canvas/flow/canvas-pane";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX } from "@/components/canvas/flow/geometry";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import { placeOf, selectPlace } from "@/components/canvas/keyboard/place";
import { CanvasMenu, type MenuPlace } from "@/components/canvas/menus/canvas-menu";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { useCanvasView, useCanvasViewStore } from "@/components/canvas/state/canvas-view";
import { WorkStatus } from "@/components/canvas/tidy/work-status";
import { NoNodes } from "./no-nodes";

/** Context menu for the pointer or focus; selects its target. */
const menuAt = (store: CanvasStore, target: Element): MenuPlace["menu"] => {
  const place = placeOf(target.closest(".react-flow__node, .react-flow__edge"));
  const { history, selection } = store.getState();
  const isThere = place && history.document[place.type === "node" ? "nodes" : "edges"].some(({ id }) => id === place.id);
  if (!place || !isThere) return target.closest(".react-flow__nodesselection") ? "node" : "canvas";
  if (!selection[place.type === "node" ? "nodes" : "edges"].includes(place.id)) selectPlace(store, place);

  return place.type;
};

type Props = { readonly commands: readonly CanvasCommand[]; readonly onAdd: () => void };

export const Surface = ({ commands, onAdd }: Props) => {
  const store = useCanvasStore();
  const view = useCanvasViewStore();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const drag = useCanvasView((state) => state.drag);
  const isEmpty = useCanvas((state) => state.history.document.nodes.length === 0);
  const [menu, setMenu] = useState<MenuPlace>({ x: 0, y: 0, menu: "canvas" });
  const [isMenuOpen, setIsMenuOpen] = useState(false);

  const openMenu = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    event.preventDefault();
    const box = event.target.getBoundingClientRect();
    const isByKey = event.button !== 2;
    setMenu({ x: isByKey ? box.x : event.clientX, y: isByKey ? box.bottom : event.clientY, menu: menuAt(store, event.target) });
    setIsMenuOpen(true);
  };
  const drop = (event: DragEvent) => {
    const kind = readDroppedKind(event);
    if (!kind) return;
    event.preventDefault();
    addKind({ store, flow }, kind, centerPoint(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })));
  };
  const onConnectEnd: OnConnectEnd = useCallback(
    (event, { fromNode, fromHandle, toNode, isValid }) => {
      const isOnPane = event.target instanceof Element && event.target.classList.contains("react-flow__pane");
      if (!fromNode || toNode || isValid === true || !isOnPane) return;
      const { clientX, clientY } = "changedTouches" in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
      const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
      const isFromEnd = fromHandle?.type === "target";
      view.getState().set({
        adding: {
          at: { x: isFromEnd ? x - NODE_WIDTH_PX : x, y: y - NODE_HEIGHT_PX / 2 },
          shownAt: { x: clientX, y: clientY },
          join: { node: fromNode.id, as: isFromEnd ? "target" : "source" },
        },
      });
    },
    [flow, view],
  );

  return (
    // Keys offer the same commands.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="relative h-full"
      onContextMenu={openMenu}
      onPointerMove={({ clientX, clientY }: PointerEvent) => view.getState().set({ pointer: { x: clientX, y: clientY } })}
      onPointerLeave={() => view.getState().set({ pointer: null })}
      onDragOver={(event) => {
        if (isKindDragged(event)) event.preventDefault();
      }}
      onDrop={drop}
    >
      <CanvasPane drag={drag} onConnectEnd={onConnectEnd} />
      {isEmpty ? (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
          <NoNodes onAdd={onAdd} />
        </div>
      ) : null}
      <WorkStatus />
      <KindPicker />
      <CanvasMenu commands={commands} open={isMenuOpen} place={menu} onClose={() => setIsMenuOpen(false)} />
    </div>
  );
};
