import type { EffectClass } from "@/lib/graph/document";

/** Effect classes, least first. */
export const EFFECTS: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

export const pickWorse = (a: EffectClass, b: EffectClass): EffectClass => (EFFECTS.indexOf(a) >= EFFECTS.indexOf(b) ? a : b);
