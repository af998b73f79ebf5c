/** Conditions evaluate, and exactly one edge is taken. */
import { compileExpression } from "@/lib/graph/condition";
import type { GraphEdge, GraphNode } from "@/lib/graph/document";
import { isGranted } from "@/lib/graph/path";
import type { Facts } from "@/lib/graph/facts/facts";
import { declareFix } from "./grants";
import { createProblem, type Problem } from "./problem";

const condition = (facts: Facts, node: GraphNode | undefined, edge: GraphEdge): Problem[] => {
  if (edge.condition === undefined) return [];
  const place = { edge: edge.id };
  if (edge.kind !== "normal") {
    const { condition: _ignored, ...plain } = edge;

    return [
      createProblem("condition_ignored", place, `The ${edge.kind} edge ${edge.id} ignores its condition.`, {
        title: "Remove the condition",
        edits: [{ op: "replace_edge", edge: plain }],
      }),
    ];
  }
  const compiled = compileExpression(edge.condition);
  if (!compiled.ok) return [createProblem("condition_invalid", place, `The condition of ${edge.id} does not compile: ${compiled.error}.`)];
  if (compiled.value.keys === null) return [];
  const readable = node ? [...node.read_keys, ...node.write_keys] : [];

  return compiled.value.keys.flatMap((key) => {
    if (!facts.keys.has(key)) {
      return [
        createProblem(
          "condition_key_undeclared",
          { ...place, key },
          `The condition of ${edge.id} reads ${key}, which is not declared.`,
          declareFix(key),
        ),
      ];
    }
    if (!node || isGranted(readable, [key]) || readable.some((grant) => grant.startsWith(`${key}.`))) return [];

    return [
      createProblem("condition_key_unread", { ...place, key }, `The condition of ${edge.id} reads ${key}, which ${node.id} may not read.`, {
        title: `Let ${node.id} read ${key}`,
        edits: [{ op: "replace_node", node: { ...node, read_keys: [...node.read_keys, key] } }],
      }),
    ];
  });
};

/** An outside caller chooses among all true edges. */
const overlap = (facts: Facts, edges: readonly GraphEdge[]): Problem[] => {
  const normal = edges.filter((edge) => edge.kind === "normal");
  const always = normal.findIndex((edge) => edge.condition === undefined);
  const hidden = always < 0 || facts.graph.external ? [] : normal.slice(always + 1);
  const defaults = edges.filter((edge) => edge.kind === "default");
  const hiddenDefaults = always < 0 ? defaults.slice(1) : defaults;

  return [...hidden, ...hiddenDefaults].map((edge) =>
    createProblem("overlap", { edge: edge.id }, `Edge ${edge.id} is never taken: another edge from ${edge.source} always matches first.`, {
      title: "Remove the edge",
      edits: [{ op: "remove_edge", edge: edge.id }],
    }),
  );
};

/** The run may complete at an end node. */
const missingDefault = (facts: Facts, node: string, edges: readonly GraphEdge[]): Problem[] => {
  if (facts.graph.end_nodes.includes(node)) return [];
  const normal = edges.filter((edge) => edge.kind === "normal");
  const last = normal.at(-1);
  const certain = normal.some((edge) => edge.condition === undefined) || edges.some((edge) => edge.kind === "default");
  if (!last || certain) return [];
  const { condition: _replaced, ...plain } = last;

  return [
    createProblem("no_default", { node }, `No edge from ${node} is taken when no condition is true.`, {
      title: `Make ${last.id} the default`,
      edits: [{ op: "replace_edge", edge: { ...plain, kind: "default" } }],
    }),
  ];
};

export const routeProblems = (facts: Facts): Problem[] => {
  const nodes = new Map(facts.graph.nodes.map((node) => [node.id, node]));

  return [
    ...facts.graph.edges.flatMap((edge) => condition(facts, nodes.get(edge.source), edge)),
    ...[...facts.topology.out].flatMap(([node, edges]) => [...overlap(facts, edges), ...missingDefault(facts, node, edges)]),
  ];
};
