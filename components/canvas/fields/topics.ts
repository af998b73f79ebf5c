import type { Graph } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { idSchema } from "@/lib/ids";

/** Explains why the text is no topic. */
export const findTopicFault = (text: string): string | null =>
  idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";

export const listTopics = (graph: Graph): string[] => [
  ...new Set(graph.nodes.flatMap((node) => getKind(node).facts(node.config).kept?.topic ?? [])),
];
