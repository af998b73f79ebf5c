/** Topics of the workspace's memory. */
import type { Graph } from "@/lib/graph/document";
import { idSchema } from "@/lib/ids";

/** One sentence when the text is no topic. */
export const findTopicFault = (text: string): string | null =>
  idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";

/** The topics that this graph's own reflections fill. */
export const listTopics = (graph: Graph): string[] => [
  ...new Set(graph.nodes.flatMap((node) => (node.kind === "reflection" ? [node.config.topic] : []))),
];
