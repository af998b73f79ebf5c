/** Data: nothing is read before it can exist, nothing untrusted reaches what must be trusted, nothing secret leaves. */
import type { GraphNode } from "@/lib/graph/document";
import { isAtOrBelow, parsePath, type Path } from "@/lib/graph/path";
import { reachableFrom } from "@/lib/graph/topology";
import { expressionKeys } from "./access";
import { insertGateFix } from "./effects";
import { nodeName, overlaps, toolsOf, touches, type Facts } from "./facts";
import { asksFirst } from "./gates";
import { problem, type Problem } from "./problem";

const pathsOf = (facts: Facts, grants: readonly string[]): Path[] =>
  grants.flatMap((grant) => {
    if (grant === "*") return [...facts.keys.keys()].map((key) => [key]);
    const path = parsePath(grant);

    return path === null ? [] : [path];
  });

const writes = (facts: Facts, node: GraphNode): Path[] => pathsOf(facts, facts.access.get(node.id)?.writes ?? []);
const reads = (facts: Facts, node: GraphNode): Path[] => pathsOf(facts, facts.access.get(node.id)?.reads ?? []);

/** All nodes that some writer of the path leads to. */
const behindWriters = (facts: Facts, path: Path): Set<string> => {
  const writers = facts.graph.nodes.filter((node) => touches(facts.access.get(node.id)?.writes ?? [], path));
  const first = writers.flatMap((node) => facts.topology.successors.get(node.id) ?? []);

  return reachableFrom("", new Map([...facts.topology.successors, ["", first]]));
};

const neverWritten = (facts: Facts): Problem[] => {
  const known = new Map<string, Set<string>>();
  const canHold = (path: Path, node: string) => {
    const text = path.join(".");
    const behind = known.get(text) ?? behindWriters(facts, path);
    known.set(text, behind);

    return behind.has(node);
  };

  return facts.graph.nodes.flatMap((node) => {
    const grants = facts.access.get(node.id)?.reads ?? [];
    // A wildcard reads what is there; it does not promise that everything is.
    if (!facts.topology.reachable.has(node.id) || grants.includes("*")) return [];

    return reads(facts, node)
      .filter(([key = ""]) => facts.keys.has(key) && !facts.inputKeys.has(key))
      .filter((path) => !canHold(path, node.id))
      .map((path) =>
        problem(
          "read_never_written",
          { node: node.id, key: path.join(".") },
          `${node.id} reads ${path.join(".")}, which nothing before it can have written.`,
        ),
      );
  });
};

type Taint = { readonly paths: readonly Path[]; readonly nodes: ReadonlySet<string> };

/** The paths that can hold untrusted values and the nodes that can produce them. Grows until nothing more can be added. */
const taintOf = (facts: Facts): Taint => {
  const nodes = new Set(facts.graph.nodes.flatMap((node) => (node.kind === "tool" || toolsOf(facts, node).length > 0 ? [node.id] : [])));
  const paths = new Map<string, Path>();
  const spread = (node: GraphNode) => {
    for (const path of writes(facts, node)) paths.set(path.join("."), path);
  };
  for (const node of facts.graph.nodes) if (nodes.has(node.id)) spread(node);
  for (let before = -1; before !== nodes.size;) {
    before = nodes.size;
    for (const node of facts.graph.nodes) {
      const reached =
        !nodes.has(node.id) &&
        node.kind !== "approval" &&
        reads(facts, node).some((path) => [...paths.values()].some((other) => overlaps(path, other)));
      if (!reached) continue;
      nodes.add(node.id);
      spread(node);
    }
  }

  return { paths: [...paths.values()], nodes };
};

const untrustedWrites = (facts: Facts, taint: Taint): Problem[] =>
  facts.graph.nodes.flatMap((node) => {
    if (!taint.nodes.has(node.id) || !facts.topology.reachable.has(node.id)) return [];
    const gated = asksFirst(facts, node);

    return [...new Set(writes(facts, node).map(([key = ""]) => key))].flatMap((name) => {
      const key = facts.keys.get(name);
      const place = { node: node.id, key: name };
      if (key && key.min_integrity !== "untrusted") {
        return [
          problem(
            "untrusted_to_key",
            place,
            `${name} demands ${key.min_integrity} values, and what ${nodeName(node)} writes can come from an untrusted source.`,
          ),
        ];
      }
      if (!key?.protected || gated) return [];

      return [
        problem(
          "untrusted_to_protected",
          place,
          `What ${nodeName(node)} writes to the protected key ${name} can come from an untrusted source, with no approval on the way.`,
          insertGateFix(facts, node),
        ),
      ];
    });
  });

const untrustedDecisions = (facts: Facts, taint: Taint): Problem[] =>
  facts.graph.edges.flatMap((edge) => {
    if (edge.condition === undefined || edge.kind !== "normal") return [];
    const named = pathsOf(facts, expressionKeys(edge.condition));
    if (!named.some((path) => taint.paths.some((other) => overlaps(path, other)))) return [];
    const then = facts.graph.strict_taint ? "the run will hold here each time" : "what follows carries that label";

    return [problem("untrusted_decision", { edge: edge.id }, `The way ${edge.id} can depend on an untrusted value: ${then}.`)];
  });

const secrets = (facts: Facts): Problem[] => {
  const secret = facts.graph.memory.filter((key) => key.classification === "secret").map((key): Path => [key.key]);

  return facts.graph.nodes.flatMap((node) => {
    const calls = facts.topology.reachable.has(node.id) && toolsOf(facts, node).length > 0;
    if (!calls || asksFirst(facts, node)) return [];

    return secret
      .filter((key) => reads(facts, node).some((path) => isAtOrBelow(path, key)))
      .map(([key = ""]) =>
        problem(
          "secret_to_tool",
          { node: node.id, key },
          `${nodeName(node)} can pass the secret ${key} to a tool with no approval on the way.`,
          insertGateFix(facts, node),
        ),
      );
  });
};

export const flowProblems = (facts: Facts): Problem[] => {
  const taint = taintOf(facts);

  return [...neverWritten(facts), ...untrustedWrites(facts, taint), ...untrustedDecisions(facts, taint), ...secrets(facts)];
};
