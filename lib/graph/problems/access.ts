import { compileExpression } from "@/lib/graph/condition";
import type { Agent, GraphNode } from "@/lib/graph/document";
import { intersectGrants } from "@/lib/graph/path";
import { listActingAgentIds } from "./acting";

export type Access = {
  /** `*` is every key. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
};

/** Lists memory keys; none if the expression does not compile, which another rule reports. */
export const listExpressionKeys = (text: string): readonly string[] => {
  const compiled = compileExpression(text);

  return compiled.ok ? (compiled.value.keys ?? ["*"]) : [];
};

/** Returns the path of the node's single result. */
export const answerPath = (node: GraphNode): string | undefined => {
  switch (node.kind) {
    case "agent":
    case "tool":
    case "map":
    case "voting":
    case "evolution":
    case "verifier":
    case "synthesizer":
    case "extract":
      return node.config.write_to ?? (node.write_keys.length === 1 && node.write_keys[0] !== "*" ? node.write_keys[0] : undefined);
    case "reflection":
      return node.config.write_to;
    case "router":
    case "transform":
    case "approval":
    case "supervisor":
    case "subgraph":
    case "review":
    case "judge":
      return undefined;
    default:
      return node satisfies never;
  }
};

/** Lists paths written besides the result. */
export const reportPaths = (node: GraphNode): readonly string[] => {
  const named = (path: string | undefined) => (path === undefined ? [] : [path]);
  switch (node.kind) {
    case "map":
      return named(node.config.errors_to);
    case "voting":
      return named(node.config.votes_to);
    case "evolution":
      return named(node.config.report_to);
    case "transform":
      return node.config.set.map((assignment) => assignment.path);
    case "approval":
      return node.config.promote.map((promotion) => promotion.to);
    case "subgraph":
      return Object.keys(node.config.outputs);
    case "judge":
      return [node.config.to];
    case "agent":
    case "tool":
    case "verifier":
    case "synthesizer":
    case "reflection":
    case "router":
    case "supervisor":
    case "extract":
    case "review":
      return [];
    default:
      return node satisfies never;
  }
};

/** Lists paths read besides an agent's grants. */
export const listNamedReads = (node: GraphNode): readonly string[] => {
  switch (node.kind) {
    case "tool":
      return Object.values(node.config.arguments).flatMap((argument) => ("from" in argument ? [argument.from] : []));
    case "transform":
      return [...new Set(node.config.set.flatMap((assignment) => listExpressionKeys(assignment.value)))];
    case "approval":
      return [...new Set([...node.config.review_keys, ...node.config.promote.map((promotion) => promotion.from)])];
    case "map":
      return "from" in node.config.items ? [node.config.items.from] : [];
    case "verifier":
      return node.config.check.type === "expression" ? listExpressionKeys(node.config.check.expression) : [node.config.check.key];
    case "subgraph":
      return Object.values(node.config.inputs);
    case "extract":
    case "judge":
      return [node.config.from];
    case "review":
      return [node.config.target, ...(node.config.source === undefined ? [] : [node.config.source])];
    case "agent":
    case "router":
    case "supervisor":
    case "voting":
    case "evolution":
    case "synthesizer":
    case "reflection":
      return [];
    default:
      return node satisfies never;
  }
};

/** Several agents get their union. */
const capped = (grants: readonly string[], agents: readonly (Agent | undefined)[], side: "read_keys" | "write_keys"): readonly string[] =>
  agents.length === 0 ? grants : [...new Set(agents.flatMap((agent) => intersectGrants(grants, agent?.permissions[side])))];

const answered = (node: GraphNode): readonly string[] => {
  const path = answerPath(node);

  return [...(path === undefined ? [] : [path]), ...reportPaths(node)];
};

/** Returns the effective grants. */
export const getAccess = (node: GraphNode, agents: ReadonlyMap<string, Agent>): Access => {
  const acting = listActingAgentIds(node).map((id) => agents.get(id));
  switch (node.kind) {
    case "agent":
      return { reads: capped(node.read_keys, acting, "read_keys"), writes: capped(node.write_keys, acting, "write_keys") };
    case "supervisor":
      return { reads: capped(node.read_keys, acting, "read_keys"), writes: [] };
    case "router":
      return { reads: node.read_keys, writes: [] };
    case "voting":
    case "evolution":
    case "synthesizer":
    case "reflection":
      return { reads: capped(node.read_keys, acting, "read_keys"), writes: [...new Set([...node.write_keys, ...reportPaths(node)])] };
    case "map":
      return {
        reads: [...new Set([...listNamedReads(node), ...node.read_keys])],
        writes: [...new Set([...node.write_keys, ...reportPaths(node)])],
      };
    case "tool":
    case "transform":
    case "approval":
    case "verifier":
    case "subgraph":
    case "extract":
    case "review":
    case "judge":
      return { reads: listNamedReads(node), writes: answered(node) };
    default:
      return node satisfies never;
  }
};
