import type { Graph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { resolveVersion } from "@/lib/graph/publish";
import { listAllAgentIds, listToolRefs } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";

export type Missing = { readonly what: "Agent" | "Tool" | "Graph"; readonly id: string };

export const listMissing = (graph: Graph, { agents, tools, versions }: ValidationContext): readonly Missing[] => {
  const known = new Set(agents.map(({ id }) => id));
  const pinned = new Set(tools.map(({ server, tool }) => getToolId(server, tool)));
  const named = new Set(graph.nodes.flatMap(listToolRefs).map(({ server, tool }) => getToolId(server, tool)));
  const used = graph.nodes.flatMap((node) => (runsGraph(node) && !resolveVersion(versions, node.config) ? [node.config.graph_id] : []));

  return [
    ...listAllAgentIds(graph).flatMap((id): Missing[] => (known.has(id) ? [] : [{ what: "Agent", id }])),
    ...[...named].flatMap((id): Missing[] => (pinned.has(id) ? [] : [{ what: "Tool", id }])),
    ...[...new Set(used)].map((id): Missing => ({ what: "Graph", id })),
  ];
};
