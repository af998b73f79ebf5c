/** Effects: nothing changes the outside before a person could see it. */
import { freshId } from "@/lib/graph/edit-nodes";
import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { effectOf, nodeName, type Facts } from "./facts";
import { gatesBefore } from "./gates";
import { problem, type Fix, type Problem } from "./problem";

const GATE_OFFSET_PX = 120;

const isWorker = (facts: Facts, id: string): boolean =>
  facts.graph.nodes.some((node) => node.kind === "map" && node.config.worker_node === id);

/** An approval on every way to a node, for exactly that node's effect; a map's worker has no way to it, so it asks by itself. */
export const insertGateFix = (facts: Facts, node: GraphNode): Fix => {
  if (isWorker(facts, node.id)) return { title: "Always ask", edits: [{ op: "replace_node", node: { ...node, approval: "always" } }] };
  const gate: NodeOf<"approval"> = {
    id: freshId(`approve_${node.id}`, new Set(facts.topology.ids)),
    kind: "approval",
    title: `Approve ${nodeName(node)}`.slice(0, 120),
    read_keys: [],
    write_keys: [],
    effect: "pure",
    approval: "by_rule",
    failure_policy: { attempts: 3, backoff: "exponential", backoff_ms: 1_000, timeout_ms: 120_000 },
    position: { x: node.position.x, y: node.position.y - GATE_OFFSET_PX },
    config: {
      prompt: `Allow ${nodeName(node)}?`,
      review_keys: [],
      for_node: node.id,
      promote: [],
      role: "reviewer",
      quorum: 1,
      timeout_ms: 86_400_000,
    },
  };

  return { title: "Insert a gate", edits: [{ op: "insert_before", before: node.id, node: gate }] };
};

/** A gate for a tool's effect must name it, because only then the exact arguments are what was approved. */
const isGated = (facts: Facts, node: GraphNode): boolean =>
  gatesBefore(facts, node.id).some((gate) => node.kind !== "tool" || gate.config.for_node === node.id);

/**
 * A node that always asks is its own gate. One that calls nothing has no effect but its writes, and the engine opens a
 * gate for protected keys by itself.
 */
const gatesItself = (facts: Facts, node: GraphNode): boolean => {
  if (node.approval === "always") return true;
  const writes = facts.access.get(node.id)?.writes ?? [];

  return (
    node.kind === "transform" && writes.length > 0 && writes.every((path) => facts.keys.get(path.split(".")[0] ?? "")?.protected === true)
  );
};

const ungated = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => {
    const effect = effectOf(facts, node);
    const safe = effect === "pure" || effect === "read" || node.kind === "approval" || node.kind === "router";
    if (safe || !facts.topology.reachable.has(node.id) || isGated(facts, node) || gatesItself(facts, node)) return [];
    const what = effect === "irreversible" ? "does something that cannot be undone" : "changes data outside the run";

    return [
      problem(
        "ungated_effect",
        { node: node.id },
        `${nodeName(node)} ${what}, and not every way to it passes an approval for it.`,
        insertGateFix(facts, node),
      ),
    ];
  });

const bypassed = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((gate) => {
    const node = gate.kind === "approval" ? gate.config.for_node : undefined;
    const certain = node === undefined || !facts.topology.reachable.has(node) || facts.dominators.dominates(gate.id, node);

    return certain ? [] : [problem("gate_bypassed", { node: gate.id }, `The run can reach ${node} without passing ${gate.id}.`)];
  });

export const effectProblems = (facts: Facts): Problem[] => [...ungated(facts), ...bypassed(facts)];
