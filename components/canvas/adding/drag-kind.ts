/** Carries a dragged kind. */
import type { DragEvent } from "react";
import { KINDS } from "@/components/canvas/kinds/kind-uis";
import type { NodeKind } from "@/lib/graph/kinds";

const TYPE = "application/x-countersign-kind";

export const startDrag = ({ dataTransfer }: DragEvent, kind: NodeKind): void => {
  dataTransfer.setData(TYPE, kind);
  dataTransfer.effectAllowed = "copy";
};

/** Only a drop tells which kind. */
export const isKindDragged = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(TYPE);

export const readDroppedKind = ({ dataTransfer }: DragEvent): NodeKind | undefined =>
  KINDS.find((kind) => kind === dataTransfer.getData(TYPE));
