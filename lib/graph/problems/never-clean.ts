/** Strict-taint decisions that always wait: only untrusted sources write their value. */
import type { GraphNode } from "@/lib/graph/document";
import { asksPerson, callsTool, getKind, judgesCase, mapsItems } from "@/lib/graph/kind-of";
import { parsePath } from "@/lib/graph/path";
import { listExpressionKeys } from "@/lib/graph/facts/access";
import { isShownHandles } from "@/lib/graph/facts/acting";
import type { Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";

const answersForOutside = (facts: Facts, node: GraphNode): boolean => {
  if (callsTool(node)) return true;
  const worker = mapsItems(node) ? facts.nodes.get(node.config.worker_node) : undefined;

  return callsTool(worker) || (getKind(node).facts(node.config).recalled !== undefined && !facts.graph.isolate_untrusted);
};

const isTold = (facts: Facts, node: GraphNode, dirty: ReadonlySet<string>): boolean =>
  !(facts.graph.isolate_untrusted && isShownHandles(node)) &&
  (facts.access.get(node.id)?.reads ?? []).some((grant) => {
    const [key = ""] = parsePath(grant) ?? [];
    // Another part may have been written.
    if (!dirty.has(key) || grant !== key) return false;

    return (facts.writers.get(key) ?? []).some(
      (writer) => writer.node.id !== node.id && facts.dominators.dominates(writer.node.id, node.id),
    );
  });

/** Finds the keys that only untrusted nodes write. */
export const findNeverClean = (facts: Facts): ReadonlySet<string> => {
  const dirty = new Set<string>();
  // Outside agents may be trusted.
  const given = new Set(facts.given.map((one) => one.path[0]));
  for (let before = -1; before !== dirty.size;) {
    before = dirty.size;
    for (const [key, writers] of facts.writers) {
      if (dirty.has(key) || !facts.keys.has(key) || facts.inputKeys.has(key) || given.has(key)) continue;
      const always = writers.every(
        ({ node }) => !asksPerson(node) && !judgesCase(node) && (answersForOutside(facts, node) || isTold(facts, node, dirty)),
      );
      if (always && writers.length > 0) dirty.add(key);
    }
  }

  return dirty;
};

const HOLD = "Hold for a person on purpose";

export const findNeverCleanProblems = (facts: Facts): Problem[] => {
  if (!facts.graph.strict_taint) return [];
  const dirty = findNeverClean(facts);

  const lists = facts.graph.nodes.flatMap((node) => {
    if (!mapsItems(node) || !("from" in node.config.items) || node.config.items.hold) return [];
    const { items } = node.config;
    const [key] = parsePath(items.from) ?? [];
    if (key === undefined || !dirty.has(key)) return [];

    return [
      createProblem(
        "decision_never_clean",
        { node: node.id, key },
        `${node.id} iterates over ${key}, which is always untrusted. Under strict taint it always waits for a person; use a promoted list, or hold on purpose.`,
        { title: HOLD, edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, items: { ...items, hold: true } } } }] },
      ),
    ];
  });
  const edges = facts.graph.edges.flatMap((edge) => {
    const key =
      edge.kind === "normal" && edge.condition !== undefined && !edge.hold
        ? listExpressionKeys(edge.condition).find((name) => dirty.has(name))
        : undefined;
    if (key === undefined) return [];

    return [
      createProblem(
        "decision_never_clean",
        { edge: edge.id, key },
        `Edge ${edge.id} depends on ${key}, which is always untrusted. Under strict taint it always waits for a person; use a promoted value, or hold on purpose.`,
        { title: HOLD, edits: [{ op: "replace_edge", edge: { ...edge, hold: true } }] },
      ),
    ];
  });

  return [...lists, ...edges];
};
