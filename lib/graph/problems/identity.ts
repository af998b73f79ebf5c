/** Ids are unique and references exist. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { withReferences } from "@/lib/graph/edit-references";
import { listLinkTargets } from "@/lib/graph/refs";
import { isVisibleName, UNSEEN_IN_NAME, stripUnseen } from "@/lib/visible-name";
import type { Facts } from "@/lib/graph/facts/facts";
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

const namedNodes = (node: GraphNode): readonly string[] => [...listLinkTargets(node, "part"), ...listLinkTargets(node, "route")];

/** Null: the reference is required. */
const cleared = (node: GraphNode, isThere: (id: string) => boolean): GraphNode | null => {
  const keep = (id: string) => (isThere(id) ? id : undefined);
  const followed = withReferences(node, { way: keep, part: keep });
  if (namedNodes(followed).every(isThere)) return followed;
  // No agent is left to hand off to; only the answer remains.
  if (followed.kind !== "agent") return null;
  const { swarm: _gone, ...config } = followed.config;

  return { ...followed, config };
};

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
