/** Fading keeps text contrast. */
import type { Tone } from "./decoration";

export const FRAMES: Record<Tone, string> = {
  danger: "border-2 border-refused bg-refused-soft",
  warning: "border-2 border-tainted",
  good: "border-2 border-waiting",
  hidden: "border-2 border-hidden",
  accent: "border-2 border-accent bg-accent-soft",
  plain: "",
  faded: "border-line bg-canvas",
};

type Stroke = { readonly stroke: string; readonly strokeWidth: number; readonly marker: string };

/** Width distinguishes them without colour. */
export const STROKES: Record<Exclude<Tone, "plain">, Stroke> = {
  danger: { stroke: "var(--refused)", strokeWidth: 3, marker: "url(#overlay-danger)" },
  warning: { stroke: "var(--tainted)", strokeWidth: 2, marker: "url(#overlay-warning)" },
  good: { stroke: "var(--waiting)", strokeWidth: 2, marker: "url(#overlay-good)" },
  hidden: { stroke: "var(--hidden)", strokeWidth: 2, marker: "url(#overlay-hidden)" },
  accent: { stroke: "var(--accent)", strokeWidth: 4, marker: "url(#overlay-accent)" },
  faded: { stroke: "var(--line-strong)", strokeWidth: 1, marker: "url(#overlay-faded)" },
};
