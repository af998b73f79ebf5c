import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";

const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** Returns the strictest class; irreversible without any. */
export const pickStrictest = (classes: readonly EffectClass[]): EffectClass =>
  CLASSES[Math.max(...classes.map((one) => CLASSES.indexOf(one)))] ?? "irreversible";

export const getEffectClass = (node: Pick<GraphNode, "effect">, tool: Pick<PinnedTool, "effect">): EffectClass =>
  pickStrictest([node.effect, tool.effect]);
