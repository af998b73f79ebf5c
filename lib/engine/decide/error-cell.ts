import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { createSourceLabel, joinLabels } from "@/lib/graph/label";
import type { Write } from "@/lib/engine/decide/verdict";
import type { RunState } from "@/lib/engine/state";
import { getContextLabel } from "@/lib/engine/view";

/** Details may quote anything read, so they share its label. */
export const errorCell = (published: PublishedGraph, state: RunState, node: GraphNode, task: string, detail: string): Write => ({
  path: "$error",
  value: detail.toWellFormed(),
  label: joinLabels([getContextLabel(published, state, node, task), createSourceLabel("untrusted", "internal", `node:${node.id}`)]),
});
