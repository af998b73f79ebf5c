import type { GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { KindFacts } from "@/lib/graph/kinds/define-kind";

/** Returns the facts of the kind of a node. */
export const getKind = (node: GraphNode): KindFacts<GraphNode["config"]> =>
  // The compiler does not relate the kind and the config of a union.
  NODE_KINDS[node.kind] as unknown as KindFacts<GraphNode["config"]>;
