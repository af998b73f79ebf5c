import type { ComponentType } from "react";
import { CleanShape, HiddenShape, RefusedShape, ReviewedShape, TaintedShape, WaitingShape, type ShapeProps } from "./shapes";

export type MarkKind = "clean" | "reviewed" | "tainted" | "refused" | "waiting" | "hidden";

type MarkSpec = { readonly label: string; readonly Shape: ComponentType<ShapeProps>; readonly ink: string; readonly soft: string };

/** A colour is never shown without its shape. */
export const MARKS = {
  clean: { label: "Clean", Shape: CleanShape, ink: "text-clean", soft: "bg-clean-soft" },
  reviewed: { label: "Reviewed", Shape: ReviewedShape, ink: "text-reviewed", soft: "bg-reviewed-soft" },
  tainted: { label: "Tainted", Shape: TaintedShape, ink: "text-tainted", soft: "bg-tainted-soft" },
  refused: { label: "Refused", Shape: RefusedShape, ink: "text-refused", soft: "bg-refused-soft" },
  waiting: { label: "Waiting", Shape: WaitingShape, ink: "text-waiting", soft: "bg-waiting-soft" },
  hidden: { label: "Hidden", Shape: HiddenShape, ink: "text-hidden", soft: "bg-hidden-soft" },
} as const satisfies Record<MarkKind, MarkSpec>;
