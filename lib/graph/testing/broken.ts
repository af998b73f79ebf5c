import type { GraphInput } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { Problem } from "@/lib/graph/problems/problem";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { validateGraph } from "@/lib/graph/validate";

export type Change = (graph: GraphInput) => void;

export const problems = (change: Change, context: ValidationContext = ZOO_CONTEXT): Problem[] => {
  const graph = structuredClone(ZOO);
  change(graph);

  return validateGraph(graph, context);
};

export const findNode = (graph: GraphInput, id: string): GraphInput["nodes"][number] => {
  const node = graph.nodes.find((one) => one.id === id);
  if (!node) throw new Error(`the zoo has no ${id}`);

  return node;
};

export const configure =
  (id: string, config: object): Change =>
  (graph) =>
    void Object.assign(findNode(graph, id).config, config);

export const change =
  (id: string, fields: object): Change =>
  (graph) =>
    void Object.assign(findNode(graph, id), fields);

/** Changes the graph's settings. */
export const set =
  (fields: object): Change =>
  (graph) =>
    void Object.assign(graph, fields);

export const both =
  (...changes: readonly Change[]): Change =>
  (graph) => {
    for (const one of changes) one(graph);
  };
