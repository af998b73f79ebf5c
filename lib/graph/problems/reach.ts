import { asksPerson, getKind, judgesCase } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { findReachable } from "@/lib/graph/topology";
import type { Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";

const unreachable = ({ graph, topology }: Facts): Problem[] => {
  if (!topology.ids.has(graph.start_node)) return [];

  return graph.nodes
    .filter((node) => !topology.reachable.has(node.id))
    .map((node) =>
      graph.end_nodes.includes(node.id)
        ? createProblem(
            "unreachable_end",
            { node: node.id },
            `End node ${node.id} is unreachable from the start.`,
            graph.end_nodes.length > 1
              ? {
                  title: "Unmark as end node",
                  edits: [{ op: "settings", settings: { end_nodes: graph.end_nodes.filter((id) => id !== node.id) } }],
                }
              : undefined,
          )
        : createProblem("unreachable_node", { node: node.id }, `${node.id} is unreachable from the start.`, {
            title: "Remove the node",
            edits: [{ op: "remove_node", node: node.id, rejoin: false }],
          }),
    );
};

const deadEnds = (facts: Facts): Problem[] => {
  const { graph, topology } = facts;
  const ends = new Set(graph.end_nodes);

  return graph.nodes.flatMap((node) => {
    const leadsOn = (topology.out.get(node.id) ?? []).some((edge) => edge.kind === "normal" || edge.kind === "default");
    if (leadsOn || ends.has(node.id) || facts.masters.has(node.id)) return [];

    return [
      createProblem("dead_end", { node: node.id }, `${node.id} has no outgoing edge and is not an end node.`, {
        title: "Mark as end node",
        edits: [{ op: "settings", settings: { end_nodes: [...graph.end_nodes, node.id] } }],
      }),
    ];
  });
};

const selfEdges = ({ graph }: Facts): Problem[] =>
  graph.edges
    .filter((edge) => edge.source === edge.target)
    .map((edge) =>
      createProblem("self_edge", { edge: edge.id }, `Edge ${edge.id} connects ${edge.source} to itself.`, {
        title: "Remove the edge",
        edits: [{ op: "remove_edge", edge: edge.id }],
      }),
    );

/** Finds repeated edges, except through bounded supervisors, swarms and reviews. */
export const findRepeatedEdges = ({ graph, topology }: Facts): Map<string, readonly string[]> =>
  new Map(
    graph.nodes.map((node) => {
      const drawn = (topology.out.get(node.id) ?? []).map((edge) => edge.target);
      const declared = asksPerson(node) || judgesCase(node) ? listDeclaredTargets(node).filter((id) => topology.ids.has(id)) : [];

      return [node.id, getKind(node).choice(node.config)?.by === "goto" ? [] : [...drawn, ...declared].filter((id) => id !== node.id)];
    }),
  );

const firstOnLoop = (facts: Facts): string | undefined => {
  const ways = findRepeatedEdges(facts);
  const waysIn = new Map(facts.graph.nodes.map((node) => [node.id, 0]));
  for (const targets of ways.values()) for (const target of targets) waysIn.set(target, (waysIn.get(target) ?? 0) + 1);
  const free = new Set([...waysIn].flatMap(([id, count]) => (count === 0 ? [id] : [])));
  for (const id of free) {
    for (const target of ways.get(id) ?? []) {
      const left = (waysIn.get(target) ?? 0) - 1;
      waysIn.set(target, left);
      if (left <= 0) free.add(target);
    }
  }

  return facts.graph.nodes.find((node) => !free.has(node.id))?.id;
};

const firstWithoutEnd = (facts: Facts): string | undefined => {
  const { graph, topology } = facts;
  const last = graph.nodes.flatMap((node) => (topology.successors.has(node.id) ? [] : [node.id]));
  const ends = [...graph.end_nodes, ...last].filter((id) => topology.ids.has(id));
  const leadsToEnd = findReachable(ends, topology.predecessors);

  return graph.nodes.find((node) => topology.reachable.has(node.id) && !leadsToEnd.has(node.id) && !facts.masters.has(node.id))?.id;
};

const loops = (facts: Facts): Problem[] => {
  const endless = firstWithoutEnd(facts);
  if (endless !== undefined) {
    return [
      createProblem(
        "endless_loop",
        { node: endless },
        `No end node is reachable from ${endless}, so a run that gets there loops until it is stopped.`,
        {
          title: `Mark ${endless} as end node`,
          edits: [{ op: "settings", settings: { end_nodes: [...facts.graph.end_nodes, endless] } }],
        },
      ),
    ];
  }
  const id = firstOnLoop(facts);
  if (id === undefined) return [];

  return [
    createProblem("loop", { node: id }, `The loop through ${id} is bounded only by the limit of ${facts.graph.max_iterations} steps.`),
  ];
};

const countShortestPath = ({ graph, topology }: Facts): number | null => {
  const seen = new Set([graph.start_node]);
  for (let [steps, here] = [1, [graph.start_node]]; here.length > 0; steps++) {
    if (here.some((id) => graph.end_nodes.includes(id))) return steps;
    here = here.flatMap((id) => topology.successors.get(id) ?? []).filter((id) => !seen.has(id) && seen.add(id));
  }

  return null;
};

const iterations = (facts: Facts): Problem[] => {
  const steps = countShortestPath(facts);
  const { max_iterations } = facts.graph;
  if (steps === null || steps <= max_iterations) return [];

  return [
    createProblem(
      "too_few_iterations",
      {},
      `The shortest path to an end takes ${steps} steps, but a run stops after ${max_iterations} (max_iterations).`,
      { title: `Allow ${steps} steps`, edits: [{ op: "settings", settings: { max_iterations: steps } }] },
    ),
  ];
};

export const findReachProblems = (facts: Facts): Problem[] => [
  ...unreachable(facts),
  ...deadEnds(facts),
  ...selfEdges(facts),
  ...loops(facts),
  ...iterations(facts),
];
