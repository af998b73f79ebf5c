/** A kind on its way from the palette to the canvas. */
import type { DragEvent } from "react";
import { KINDS } from "@/components/canvas/kinds/kind-uis";
import type { NodeKind } from "@/lib/graph/kinds";

const TYPE = "application/x-countersign-kind";

export const startDrag = ({ dataTransfer }: DragEvent, kind: NodeKind): void => {
  dataTransfer.setData(TYPE, kind);
  dataTransfer.effectAllowed = "copy";
};

/** Whether it is a kind that is dragged; which one is known only when it is dropped. */
export const isKindDragged = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(TYPE);

export const readDroppedKind = ({ dataTransfer }: DragEvent): NodeKind | undefined =>
  KINDS.find((kind) => kind === dataTransfer.getData(TYPE));
