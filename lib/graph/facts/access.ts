import { oncePer } from "@/lib/once-per";
import { compileExpression } from "@/lib/graph/condition";
import type { Agent, GraphNode } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import type { Expression } from "@/lib/graph/kinds/define-kind";
import { intersectGrants } from "@/lib/graph/path";
import { listActingAgentIds } from "./acting";

export type Access = {
  /** `*` is every key. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
};

/** Lists memory keys; none if the expression does not compile. */
export const listExpressionKeys = (text: string): readonly string[] => {
  const compiled = compileExpression(text);

  return compiled.ok ? (compiled.value.keys ?? ["*"]) : [];
};

/** Lists expressions, scoring ones included. */
export const listExpressions = oncePer((node: GraphNode): readonly Expression[] => {
  const { expressions = [], scoring = [] } = getKind(node).reads(node.config);

  return [...expressions, ...scoring];
});

export const answerPath = (node: GraphNode): string | undefined => {
  const [only, ...others] = node.write_keys;

  return getKind(node).answer(node.config, others.length === 0 && only !== "*" ? only : undefined);
};

export const reportPaths = (node: GraphNode): readonly string[] => getKind(node).reports(node.config);

export const listNamedReads = (node: GraphNode): readonly string[] => {
  const { paths, expressions = [] } = getKind(node).reads(node.config);

  return [...new Set([...paths, ...expressions.flatMap(({ text }) => listExpressionKeys(text))])];
};

/** Several agents get their union. */
const capped = (grants: readonly string[], agents: readonly (Agent | undefined)[], side: "read_keys" | "write_keys"): readonly string[] =>
  agents.length === 0 ? grants : [...new Set(agents.flatMap((agent) => intersectGrants(grants, agent?.permissions[side])))];

/** Returns the effective grants. */
export const getAccess = (node: GraphNode, agents: ReadonlyMap<string, Agent>): Access => {
  const acting = listActingAgentIds(node).map((id) => agents.get(id));
  const { rights } = getKind(node);
  const answer = answerPath(node);
  const reads = {
    grants: () => capped(node.read_keys, acting, "read_keys"),
    declared: () => listNamedReads(node),
    both: () => [...new Set([...listNamedReads(node), ...node.read_keys])],
  };
  const writes = {
    agents: () => capped(node.write_keys, acting, "write_keys"),
    grants: () => [...new Set([...node.write_keys, ...reportPaths(node)])],
    declared: () => [...(answer === undefined ? [] : [answer]), ...reportPaths(node)],
    none: () => [],
  };

  return { reads: reads[rights.reads](), writes: writes[rights.writes]() };
};
