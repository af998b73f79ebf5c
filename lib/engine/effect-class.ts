/** How far an effect reaches, as the graph and the admin's pin say it. */
import type { EffectClass, GraphNode, PinnedTool } from "@/lib/graph/document";

const CLASSES: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

/** The strictest of these; without any, what cannot be undone. */
export const strictest = (classes: readonly EffectClass[]): EffectClass =>
  CLASSES[Math.max(...classes.map((one) => CLASSES.indexOf(one)))] ?? "irreversible";

/** The stricter of what the graph and the admin's pin say. */
export const effectClassOf = (node: Pick<GraphNode, "effect">, tool: Pick<PinnedTool, "effect">): EffectClass =>
  strictest([node.effect, tool.effect]);
