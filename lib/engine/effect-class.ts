import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";

const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** Returns the strictest class; irreversible without any. */
export const pickStrictest = (classes: readonly EffectClass[]): EffectClass =>
  CLASSES[Math.max(...classes.map((one) => CLASSES.indexOf(one)))] ?? "irreversible";

/** Returns a call's class. With several tools, the node's effect raises only changes. */
export const getEffectClass = (node: GraphNode, tool: Pick<PinnedTool, "effect">): EffectClass => {
  const isRead = tool.effect === "pure" || tool.effect === "read";

  return isRead && !callsTool(node) ? tool.effect : pickStrictest([node.effect, tool.effect]);
};

export const sharesDestination = (a: Pick<PinnedTool, "effect" | "outward">, b: typeof a): boolean =>
  a.effect === b.effect && a.outward === b.outward;
