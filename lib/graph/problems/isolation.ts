/** Isolation: a model that reads a value that is only ever a handle needs an extract or a judge in between. */
import { parsePath } from "@/lib/graph/path";
import { isShownHandles } from "./acting";
import { namedReads } from "./access";
import { nodeName, type Facts } from "./facts";
import { neverClean } from "./never-clean";
import { problem, type Problem } from "./problem";

export const isolationProblems = (facts: Facts): Problem[] => {
  if (!facts.graph.isolate_untrusted) return [];
  const sealed = neverClean(facts);
  const opened = new Set(
    facts.graph.nodes.flatMap((node) => (node.kind === "extract" ? namedReads(node).flatMap((path) => parsePath(path)?.[0] ?? []) : [])),
  );

  return facts.graph.nodes.flatMap((node) => {
    if (!isShownHandles(node) || !facts.topology.reachable.has(node.id)) return [];
    const reads = (facts.access.get(node.id)?.reads ?? []).flatMap((grant) => parsePath(grant)?.[0] ?? []);

    return [...new Set(reads)]
      .filter((key) => sealed.has(key))
      .map((key) =>
        opened.has(key)
          ? problem(
              "only_handles",
              { node: node.id, key },
              `${nodeName(node)} sees ${key} only as a handle. Let it read a value promoted by a judge.`,
            )
          : problem(
              "extract_missing",
              { node: node.id, key },
              `${nodeName(node)} sees ${key} only as a handle, and no extract node opens it.`,
            ),
      );
  });
};
