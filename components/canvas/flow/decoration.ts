/** Decorations of nodes and edges by an overlay. Always a word and a shape, never only a colour. */
import type { MarkKind } from "@/components/ui/marks/marks";

export type Tone = "danger" | "warning" | "good" | "hidden" | "accent" | "plain" | "faded";

export type Decoration = {
  /** `faded`: not part of the selected flow. */
  readonly tone: Tone;
  readonly mark?: MarkKind;
  /** A word or two on the face or beside the line. */
  readonly text?: string;
  /** For who hears the drawing; empty when there is nothing to add. */
  readonly said: string;
};

/** By the ids of nodes, and of edges as they are drawn. */
export type Decorations = { readonly nodes: ReadonlyMap<string, Decoration>; readonly edges: ReadonlyMap<string, Decoration> };

export const NO_DECORATIONS: Decorations = { nodes: new Map(), edges: new Map() };

/** One object for all, so that what stays faded is not drawn again. */
export const FADED: Decoration = { tone: "faded", said: "" };
