import { getArtifactSource, listArtifacts, type Artifact } from "@/lib/artifact";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { RunState } from "@/lib/engine/state";
import { listInfluences } from "@/lib/engine/view";

export const listTaskArtifacts = (published: PublishedGraph, state: RunState, node: GraphNode, taskId: string): readonly Artifact[] => {
  const found = listInfluences(published, state, node, taskId).flatMap(({ content, label }) =>
    content.known ? listArtifacts(content.value, label) : [],
  );

  return [...new Map(found.map((artifact) => [getArtifactSource(artifact), artifact])).values()];
};
