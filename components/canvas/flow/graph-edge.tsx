"use client";

import { BaseEdge, getBezierPath, getSmoothStepPath, useStore, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import type { Decoration } from "./decoration";
import { STROKES } from "./decoration-look";
import { isFarAway, NODE_HEIGHT_PX, STEP_PX } from "./geometry";

const SAME_ROW_PX = 40;
const DIP_PX = 96;
const SHOULDER_PX = 120;
const WRAP_RADIUS_PX = 16;
const MIDDLE = 0.75;
const CHARACTER_PX = 6.6;

type Path = readonly [path: string, labelX: number, labelY: number];

type Ends = Pick<EdgeProps, "sourceX" | "sourceY" | "targetX" | "targetY">;

const arc = ({ sourceX, sourceY, targetX, targetY }: Ends, bendY: number): Path => [
  `M ${sourceX} ${sourceY} C ${sourceX + SHOULDER_PX} ${bendY}, ${targetX - SHOULDER_PX} ${bendY}, ${targetX} ${targetY}`,
  (sourceX + targetX) / 2,
  bendY * MIDDLE + ((sourceY + targetY) / 2) * (1 - MIDDLE),
];

const pathOf = (props: EdgeProps): Path => {
  const { sourceX, sourceY, targetX, targetY } = props;
  const isSameRow = Math.abs(targetY - sourceY) < SAME_ROW_PX;
  const isBack = targetX < sourceX && targetY - sourceY < SAME_ROW_PX;
  const isWrapped = targetX < sourceX && !isBack;
  const isLong = isSameRow && targetX - sourceX > STEP_PX;
  if (isBack) return arc(props, Math.min(sourceY, targetY) - DIP_PX);
  if (isLong) return arc(props, Math.max(sourceY, targetY) + DIP_PX);
  if (isWrapped) {
    const [path, labelX, labelY] = getSmoothStepPath({ ...props, borderRadius: WRAP_RADIUS_PX, centerY: targetY - NODE_HEIGHT_PX });

    return [path, labelX, labelY];
  }

  const [path, labelX, labelY] = getBezierPath(props);
  const isHidden = isSameRow && typeof props.label === "string" && props.label.length * CHARACTER_PX > Math.abs(targetX - sourceX);

  // Long conditions go below neighbours.
  return [path, labelX, isHidden ? labelY + NODE_HEIGHT_PX * 0.75 : labelY];
};

const decorated = (props: EdgeProps, decoration: Decoration | undefined): EdgeProps => {
  if (!decoration || decoration.tone === "plain") return props;
  const { label, style, markerEnd, ...rest } = props;
  const { marker, ...stroke } = STROKES[decoration.tone];
  const text = decoration.tone === "faded" ? undefined : (decoration.text ?? label);

  return {
    ...rest,
    style: { ...style, ...stroke },
    ...(text === undefined ? {} : { label: text }),
    ...(markerEnd === undefined ? {} : { markerEnd: marker }),
  };
};

const Way = (given: EdgeProps) => {
  const decoration = useCanvas((state) => state.decorations.edges.get(given.id));
  const isFar = useStore(isFarAway);
  const props = decorated(given, decoration);
  const [path, labelX, labelY] = pathOf(props);
  const { id, label, labelStyle, labelBgStyle, labelBgPadding, markerEnd, style, interactionWidth } = props;

  return (
    <BaseEdge
      id={id}
      path={path}
      labelX={labelX}
      labelY={labelY}
      label={isFar ? undefined : label}
      {...(labelStyle ? { labelStyle } : {})}
      {...(labelBgStyle ? { labelBgStyle } : {})}
      {...(labelBgPadding ? { labelBgPadding } : {})}
      {...(markerEnd === undefined || isFar ? {} : { markerEnd })}
      {...(style ? { style } : {})}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
    />
  );
};

export const GraphEdgeView = memo(Way);
