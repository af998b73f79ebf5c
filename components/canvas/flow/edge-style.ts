import { MarkerType } from "@xyflow/react";

export const LABEL = {
  labelStyle: { fill: "var(--muted)", fontSize: 11, fontFamily: "var(--font-geist-mono)" },
  labelBgStyle: { fill: "var(--canvas)" },
  labelBgPadding: [4, 2] as [number, number],
};

export const arrow = (color: string) => ({ type: MarkerType.ArrowClosed, color, width: 16, height: 16 });
