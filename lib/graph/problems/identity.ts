/** Ids are unique and references exist. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { listLinkTargets } from "@/lib/graph/refs";
import { isVisibleName, UNSEEN_IN_NAME, stripUnseen } from "@/lib/visible-name";
import type { Facts } from "./facts";
import { createProblem, type Fix, type Place, type Problem, type ProblemCode } from "./problem";

const duplicates = (ids: readonly string[]): string[] => {
  const seen = new Set<string>();

  return [...new Set(ids.filter((id) => seen.size === seen.add(id).size))];
};

const repeated = (code: ProblemCode, ids: readonly string[], place: (id: string) => Place): Problem[] =>
  duplicates(ids).map((id) => createProblem(code, place(id), `${id} is used more than once.`));

const missingNodes = (ids: readonly string[]): string => `${ids.join(" and ")}, which ${ids.length === 1 ? "does" : "do"} not exist`;

const danglingEdges = ({ graph, topology }: Facts): Problem[] =>
  graph.edges.flatMap((edge) => {
    const missing = [edge.source, edge.target].filter((id) => !topology.ids.has(id));
    if (missing.length === 0) return [];

    return [
      createProblem("dangling_edge", { edge: edge.id }, `Edge ${edge.id} refers to ${missingNodes(missing)}.`, {
        title: "Remove the edge",
        edits: [{ op: "remove_edge", edge: edge.id }],
      }),
    ];
  });

/** Null: the reference is required. */
const cleared = (node: GraphNode, isThere: (id: string) => boolean): GraphNode | null => {
  if (node.kind === "approval") {
    const { for_node: forNode, rejection_node: rejectionNode, changes_node: changesNode, ...config } = node.config;
    const kept = {
      ...(forNode !== undefined && isThere(forNode) ? { for_node: forNode } : {}),
      ...(rejectionNode !== undefined && isThere(rejectionNode) ? { rejection_node: rejectionNode } : {}),
      ...(changesNode !== undefined && isThere(changesNode) ? { changes_node: changesNode } : {}),
    };

    return { ...node, config: { ...config, ...kept } };
  }
  if (node.kind === "supervisor") {
    const managed = node.config.managed_nodes.filter(isThere);

    return managed.length === 0 ? null : { ...node, config: { ...node.config, managed_nodes: managed } };
  }
  if (node.kind === "review") {
    const { rework: _gone, ...config } = node.config;

    return { ...node, config };
  }
  if (node.kind === "judge") {
    const { rejection_node: _gone, ...config } = node.config;

    return isThere(node.config.review) ? { ...node, config } : null;
  }
  if (node.kind !== "agent" || !node.config.swarm) return null;
  const { swarm, ...config } = node.config;
  const peers = swarm.peers.filter(isThere);

  return { ...node, config: peers.length === 0 ? config : { ...config, swarm: { ...swarm, peers } } };
};

const namedNodes = (node: GraphNode): readonly string[] => [...listLinkTargets(node, "part"), ...listLinkTargets(node, "route")];

const danglingReferences = ({ graph, topology }: Facts): Problem[] =>
  graph.nodes.flatMap((node) => {
    const missing = [...new Set(namedNodes(node))].filter((id) => !topology.ids.has(id));
    if (missing.length === 0) return [];
    const fixed = cleared(node, (id) => topology.ids.has(id));

    return [
      createProblem(
        "dangling_reference",
        { node: node.id },
        `${node.id} refers to ${missingNodes(missing)}.`,
        fixed ? { title: "Clear the reference", edits: [{ op: "replace_node", node: fixed }] } : undefined,
      ),
    ];
  });

const MOST_ENDS = 3;

const ends = ({ graph, topology, masters }: Facts): Problem[] => {
  if (graph.end_nodes.length === 0) {
    const leadOn = new Set(graph.edges.flatMap((edge) => (edge.kind === "normal" || edge.kind === "default" ? [edge.source] : [])));
    const last = graph.nodes.flatMap(({ id }) => (leadOn.has(id) || masters.has(id) ? [] : [id])).slice(0, MOST_ENDS);
    const fix: Fix = { title: `End at ${last.join(", ")}`, edits: [{ op: "settings", settings: { end_nodes: last } }] };

    return [createProblem("no_end", {}, "The graph has no end node. Mark at least one.", last.length === 0 ? undefined : fix)];
  }

  return graph.end_nodes
    .filter((id) => !topology.ids.has(id))
    .map((id) =>
      createProblem("unknown_end", {}, `End node ${id} does not exist.`, {
        title: "Remove it from the end nodes",
        edits: [{ op: "settings", settings: { end_nodes: graph.end_nodes.filter((other) => other !== id) } }],
      }),
    );
};

const start = ({ graph, topology }: Facts): Problem[] => {
  const [first] = graph.nodes;
  if (topology.ids.has(graph.start_node)) return [];
  if (!first) return [createProblem("unknown_start", {}, "The graph is empty. Add a start node.")];

  return [
    createProblem("unknown_start", {}, `Start node ${graph.start_node} does not exist.`, {
      title: `Start at ${first.id}`,
      edits: [{ op: "settings", settings: { start_node: first.id } }],
    }),
  ];
};

const repeatedIds = (graph: Graph): Problem[] => [
  ...repeated(
    "duplicate_node",
    graph.nodes.map((node) => node.id),
    (node) => ({ node }),
  ),
  ...repeated(
    "duplicate_edge",
    graph.edges.map((edge) => edge.id),
    (edge) => ({ edge }),
  ),
  ...repeated(
    "duplicate_key",
    graph.memory.map((key) => key.key),
    (key) => ({ key }),
  ),
];

/** Invisible characters in names can mislead approvers. */
const unseenInNames = ({ graph }: Facts): Problem[] => {
  const { name, nodes } = graph;
  const ofGraph = isVisibleName(name)
    ? []
    : [
        createProblem("unseen_in_name", {}, `The graph's name: ${UNSEEN_IN_NAME}`, {
          title: "Remove them",
          edits: [{ op: "settings", settings: { name: stripUnseen(name) || graph.id } }],
        }),
      ];
  const ofNodes = nodes
    .filter(({ title }) => !isVisibleName(title))
    .map((node) =>
      createProblem("unseen_in_name", { node: node.id }, `The title of ${node.id}: ${UNSEEN_IN_NAME}`, {
        title: "Remove them",
        edits: [{ op: "replace_node", node: { ...node, title: stripUnseen(node.title) } }],
      }),
    );

  return [...ofGraph, ...ofNodes];
};

export const findIdentityProblems = (facts: Facts): Problem[] => [
  ...repeatedIds(facts.graph),
  ...unseenInNames(facts),
  ...danglingEdges(facts),
  ...danglingReferences(facts),
  ...start(facts),
  ...ends(facts),
];
