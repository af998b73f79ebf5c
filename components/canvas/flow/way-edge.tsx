"use client";

import { BaseEdge, getBezierPath, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { NODE_HEIGHT_PX, STEP_PX } from "./geometry";

const SAME_ROW_PX = 40;
const DIP_PX = 96;
const SHOULDER_PX = 120;
/** Where a cubic curve with equal control heights is in its middle. */
const MIDDLE = 0.75;
/** Of the label's typeface. */
const CHARACTER_PX = 6.6;

type Path = readonly [path: string, labelX: number, labelY: number];

/** Straight on to the next column; in an arc below what stands between when the way is longer. */
const pathOf = (props: EdgeProps): Path => {
  const { sourceX, sourceY, targetX, targetY } = props;
  const isLong = targetX - sourceX > STEP_PX && Math.abs(targetY - sourceY) < SAME_ROW_PX;
  if (!isLong) {
    const [path, labelX, labelY] = getBezierPath(props);
    const isLevel = Math.abs(targetY - sourceY) < SAME_ROW_PX;
    const isHidden = isLevel && typeof props.label === "string" && props.label.length * CHARACTER_PX > Math.abs(targetX - sourceX);

    // Between two neighbours there is no room for a long condition: it stands below them.
    return [path, labelX, isHidden ? labelY + NODE_HEIGHT_PX * 0.75 : labelY];
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
