/** What each node reads and writes, by path: the grants that take effect, narrowed to what its configuration uses. */
import { compileExpression } from "@/lib/graph/condition";
import type { Agent, GraphNode } from "@/lib/graph/document";
import { intersectGrants } from "@/lib/graph/path";

export type Access = {
  /** Grants; `*` is every key. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
};

/** The memory keys that an expression names; none when it does not compile, which is another rule's problem. */
export const expressionKeys = (text: string): readonly string[] => {
  const compiled = compileExpression(text);

  return compiled.ok ? (compiled.value.keys ?? ["*"]) : [];
};

/** Where a node's single result goes, when it has one. */
export const answerPath = (node: GraphNode): string | undefined => {
  if (node.kind !== "agent" && node.kind !== "tool") return undefined;

  return node.config.write_to ?? (node.write_keys.length === 1 && node.write_keys[0] !== "*" ? node.write_keys[0] : undefined);
};

/** The grants that take effect: an agent's permissions cap what its node grants. */
export const accessOf = (node: GraphNode, agents: ReadonlyMap<string, Agent>): Access => {
  switch (node.kind) {
    case "agent": {
      const ceiling = agents.get(node.config.agent_id)?.permissions ?? {};

      return {
        reads: intersectGrants(node.read_keys, ceiling.read_keys),
        writes: intersectGrants(node.write_keys, ceiling.write_keys),
      };
    }
    case "tool": {
      const written = answerPath(node);
      const reads = Object.values(node.config.arguments).flatMap((argument) => ("from" in argument ? [argument.from] : []));

      return { reads, writes: written === undefined ? [] : [written] };
    }
    case "transform":
      return {
        reads: [...new Set(node.config.set.flatMap((assignment) => expressionKeys(assignment.value)))],
        writes: node.config.set.map((assignment) => assignment.path),
      };
    case "approval":
      return { reads: node.config.review_keys, writes: [] };
    case "router":
    case "supervisor":
      return { reads: node.read_keys, writes: [] };
    case "map":
    case "voting":
    case "evolution":
    case "verifier":
    case "synthesizer":
    case "reflection":
      return { reads: node.read_keys, writes: node.write_keys };
    case "subgraph":
      return { reads: Object.values(node.config.inputs), writes: Object.keys(node.config.outputs) };
    default:
      return node satisfies never;
  }
};
