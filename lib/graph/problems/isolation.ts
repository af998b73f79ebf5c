/** Isolation: models read handles through an extract or a judge. */
import { fillsForm } from "@/lib/graph/kind-of";
import { parsePath } from "@/lib/graph/path";
import { isShownHandles } from "./acting";
import { listNamedReads } from "./access";
import { getNodeName, type Facts } from "./facts";
import { findNeverClean } from "./never-clean";
import { createProblem, type Problem } from "./problem";

export const findIsolationProblems = (facts: Facts): Problem[] => {
  if (!facts.graph.isolate_untrusted) return [];
  const sealed = findNeverClean(facts);
  const opened = new Set(
    facts.graph.nodes.flatMap((node) => (fillsForm(node) ? listNamedReads(node).flatMap((path) => parsePath(path)?.[0] ?? []) : [])),
  );

  return facts.graph.nodes.flatMap((node) => {
    if (!isShownHandles(node) || !facts.topology.reachable.has(node.id)) return [];
    const reads = (facts.access.get(node.id)?.reads ?? []).flatMap((grant) => parsePath(grant)?.[0] ?? []);

    return [...new Set(reads)]
      .filter((key) => sealed.has(key))
      .map((key) =>
        opened.has(key)
          ? createProblem(
              "only_handles",
              { node: node.id, key },
              `${getNodeName(node)} sees ${key} only as a handle. Let it read a value promoted by a judge.`,
            )
          : createProblem(
              "extract_missing",
              { node: node.id, key },
              `${getNodeName(node)} sees ${key} only as a handle, and no extract node opens it.`,
            ),
      );
  });
};
