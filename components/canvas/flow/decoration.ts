/** Overlay decorations: a word and a shape, never only colour. */
import type { MarkKind } from "@/components/ui/marks/marks";

export type Tone = "danger" | "warning" | "good" | "hidden" | "accent" | "plain" | "faded";

export type Decoration = {
  /** `faded`: outside the selected flow. */
  readonly tone: Tone;
  readonly mark?: MarkKind;
  readonly text?: string;
  /** For screen readers. */
  readonly said: string;
};

/** By node and drawn edge ids. */
export type Decorations = { readonly nodes: ReadonlyMap<string, Decoration>; readonly edges: ReadonlyMap<string, Decoration> };

export const NO_DECORATIONS: Decorations = { nodes: new Map(), edges: new Map() };

/** Shared: faded items don't render again. */
export const FADED: Decoration = { tone: "faded", said: "" };
