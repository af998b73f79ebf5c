"use client";

import { Panel, useReactFlow, useStore, type ReactFlowState } from "@xyflow/react";
import { useMemo, type PointerEvent, type WheelEvent } from "react";
import { shallow } from "zustand/shallow";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import type { Graph } from "@/lib/graph/document";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";

const WIDTH_PX = 200;
const HEIGHT_PX = 150;
const MARGIN_PX = 60;

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

const rectangle = ({ x, y, width, height }: Box): string => `M${x} ${y}h${width}v${height}h${-width}z`;

const boundsOf = (nodes: Graph["nodes"]): Box => {
  const xs = nodes.map(({ position }) => position.x);
  const ys = nodes.map(({ position }) => position.y);
  const [x, y] = [Math.min(...xs) - MARGIN_PX, Math.min(...ys) - MARGIN_PX];

  return { x, y, width: Math.max(...xs) + NODE_WIDTH_PX + MARGIN_PX - x, height: Math.max(...ys) + NODE_HEIGHT_PX + MARGIN_PX - y };
};

/** A shape per node would cost more than the canvas. */
const shapeOf = (nodes: Graph["nodes"]): string =>
  nodes.map(({ position: { x, y } }) => rectangle({ x, y, width: NODE_WIDTH_PX, height: NODE_HEIGHT_PX })).join("");

const seenOf = ({ transform: [left, top, zoom], width, height }: ReactFlowState): Box => ({
  x: -left / zoom,
  y: -top / zoom,
  width: width / zoom,
  height: height / zoom,
});

export const Overview = () => {
  const { nodes } = useDocument();
  const selected = useCanvas((state) => state.selection.nodes);
  const { setCenter, getZoom, zoomTo } = useReactFlow();
  const seen = useStore(seenOf, shallow);
  const whole = useMemo(() => boundsOf(nodes), [nodes]);
  const shape = useMemo(() => shapeOf(nodes), [nodes]);
  const chosen = useMemo(() => shapeOf(nodes.filter(({ id }) => selected.includes(id))), [nodes, selected]);

  const moveTo = (event: PointerEvent<SVGSVGElement>) => {
    const matrix = event.currentTarget.getScreenCTM();
    if (event.buttons === 0 || !matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    void setCenter(x, y, { zoom: getZoom() });
  };
  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    moveTo(event);
  };
  const onWheel = (event: WheelEvent) => void zoomTo(getZoom() * (event.deltaY > 0 ? 0.8 : 1.25));

  return (
    <Panel position="bottom-right" className="overflow-hidden rounded-md border bg-surface max-md:hidden">
      <svg
        role="img"
        aria-label="Minimap"
        width={WIDTH_PX}
        height={HEIGHT_PX}
        viewBox={`${whole.x} ${whole.y} ${whole.width} ${whole.height}`}
        className="block cursor-grab touch-none"
        onPointerDown={onPointerDown}
        onPointerMove={moveTo}
        onWheel={onWheel}
      >
        <path d={shape} className="fill-line-strong" />
        <path d={chosen} className="fill-accent" />
        <path d={rectangle(seen)} className="fill-accent/10 stroke-accent" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      </svg>
    </Panel>
  );
};
