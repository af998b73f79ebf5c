/** Maps: supported workers that nothing else leads to. */
import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { callsTool, getKind, mapsItems } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { getNodeName, type Facts } from "./facts";
import { createProblem, type Problem } from "./problem";

const kinds = (facts: Facts, map: NodeOf<"map">): Problem[] => {
  const worker = facts.nodes.get(map.config.worker_node);
  if (!worker || getKind(worker).worksOnItems) return [];

  return [
    createProblem(
      "worker_kind",
      { node: map.id },
      `${getNodeName(map)} passes its items to ${getNodeName(worker)}, which is not an agent, tool or transform.`,
    ),
  ];
};

/** It would run without an item and never take its edges. */
const onPath = (facts: Facts): Problem[] => {
  const { graph } = facts;
  const joined = new Set(graph.edges.flatMap((edge) => [edge.source, edge.target]));
  const named = new Set([graph.start_node, ...graph.end_nodes, ...graph.nodes.flatMap(listDeclaredTargets)]);

  return [...facts.masters.keys()].flatMap((id) => {
    if (!facts.nodes.has(id) || (!named.has(id) && !joined.has(id))) return [];
    const drawn = graph.edges.filter((edge) => edge.source === id || edge.target === id);

    return [
      createProblem(
        "worker_on_path",
        { node: id },
        `${id} processes the items of a map, so no edge or setting may lead the run to it.`,
        !named.has(id) ? { title: "Remove its edges", edits: drawn.map((edge) => ({ op: "remove_edge", edge: edge.id })) } : undefined,
      ),
    ];
  });
};

const usesItem = (node: GraphNode): boolean =>
  callsTool(node) && Object.values(node.config.arguments).some((argument) => "item" in argument);

const items = (facts: Facts): Problem[] =>
  facts.graph.nodes
    .filter((node) => usesItem(node) && !facts.masters.has(node.id))
    .map((node) => createProblem("item_outside_map", { node: node.id }, `${getNodeName(node)} uses an item, but no map passes it one.`));

export const findWorkerProblems = (facts: Facts): Problem[] => [
  ...facts.graph.nodes.flatMap((node) => (mapsItems(node) ? kinds(facts, node) : [])),
  ...onPath(facts),
  ...items(facts),
];
