/** Types of conditions and expressions. */
import { explainNeverTrue } from "@/lib/graph/cel/check";
import { ANY, nameType, overlaps, typeOfSchema } from "@/lib/graph/cel/types";
import { compileExpression, type Declared } from "@/lib/graph/condition";
import type { GraphEdge, GraphNode } from "@/lib/graph/document";
import { listExpressions } from "@/lib/graph/facts/access";
import { findSchemaAt, getDeclared, getDeclaredFor } from "@/lib/graph/facts/declared";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import type { Expression } from "@/lib/graph/kinds/define-kind";
import { createProblem, type Problem } from "./problem";

const check = (text: string, declared: Declared) => {
  const compiled = compileExpression(text);

  return compiled.ok ? compiled.value.check(declared) : null;
};

const ofEdge = (declared: Declared, { id, kind, condition = "" }: GraphEdge): Problem[] => {
  if (kind !== "normal" || condition === "") return [];
  const checked = check(condition, declared);
  if (!checked) return [];
  if (checked.faults.length > 0) {
    return checked.faults.map((fault) =>
      createProblem("condition_type", { edge: id }, `The condition of ${id} has a type error: ${fault}.`),
    );
  }
  const never = explainNeverTrue(checked.type);

  return never === null ? [] : [createProblem("condition_never_true", { edge: id }, `The condition of ${id} can never be true: ${never}.`)];
};

const ofExpression = (declared: Declared, node: GraphNode, { what, text, to, tests }: Expression): Problem[] => {
  const checked = check(text, declared);
  if (!checked) return [];
  const name = getNodeName(node);
  if (checked.faults.length > 0) {
    return checked.faults.map((fault) =>
      createProblem("expression_type", { node: node.id }, `${name} ${what} with a type error: ${fault}.`),
    );
  }
  const schema = to === undefined ? undefined : findSchemaAt(declared, to);
  const needed = schema ? typeOfSchema(schema) : ANY;
  if (to !== undefined && !overlaps(checked.type, needed)) {
    const message = `${name} ${what} as ${nameType(checked.type)}, but its schema takes ${nameType(needed)}.`;

    return [createProblem("expression_type", { node: node.id, key: to }, message)];
  }
  const never = tests ? explainNeverTrue(checked.type) : null;

  return never === null ? [] : [createProblem("condition_never_true", { node: node.id }, `${name} can never pass: ${never}.`)];
};

const ofNode = ({ graph }: Facts, node: GraphNode): Problem[] => {
  const declared = getDeclaredFor(graph, node);

  return listExpressions(node).flatMap((expression) => ofExpression(declared, node, expression));
};

export const findExpressionProblems = (facts: Facts): Problem[] => {
  const declared = getDeclared(facts.graph);

  return [...facts.graph.edges.flatMap((edge) => ofEdge(declared, edge)), ...facts.graph.nodes.flatMap((node) => ofNode(facts, node))];
};
