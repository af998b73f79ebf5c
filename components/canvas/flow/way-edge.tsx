"use client";

import { BaseEdge, getBezierPath, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { STEP_PX } from "./geometry";

const SAME_ROW_PX = 40;
const DIP_PX = 96;
const SHOULDER_PX = 120;
/** Where a cubic curve with equal control heights is in its middle. */
const MIDDLE = 0.75;

type Path = readonly [path: string, labelX: number, labelY: number];

/** Straight on to the next column; in an arc below what stands between when the way is longer. */
const pathOf = (props: EdgeProps): Path => {
  const { sourceX, sourceY, targetX, targetY } = props;
  const isLong = targetX - sourceX > STEP_PX && Math.abs(targetY - sourceY) < SAME_ROW_PX;
  if (!isLong) {
    const [path, labelX, labelY] = getBezierPath(props);

    return [path, labelX, labelY];
  }
  const lowY = Math.max(sourceY, targetY) + DIP_PX;
  const path = `M ${sourceX} ${sourceY} C ${sourceX + SHOULDER_PX} ${lowY}, ${targetX - SHOULDER_PX} ${lowY}, ${targetX} ${targetY}`;

  return [path, (sourceX + targetX) / 2, sourceY + (lowY - sourceY) * MIDDLE];
};

const Way = (props: EdgeProps) => {
  const [path, labelX, labelY] = pathOf(props);
  const { id, label, labelStyle, labelBgStyle, labelBgPadding, markerEnd, style, interactionWidth } = props;

  return (
    <BaseEdge
      id={id}
      path={path}
      labelX={labelX}
      labelY={labelY}
      label={label}
      {...(labelStyle ? { labelStyle } : {})}
      {...(labelBgStyle ? { labelBgStyle } : {})}
      {...(labelBgPadding ? { labelBgPadding } : {})}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(style ? { style } : {})}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
    />
  );
};

export const WayEdge = memo(Way);
