import { describe, expect, test } from "vitest";
import { graphSchema, nodeSchema, type Graph, type GraphNode } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { listDeclaredTargets } from "@/lib/graph/refs";

const router = (id: string) => nodeSchema.parse({ id, kind: "router", config: {} });

const graph = graphSchema.parse({
  format: "countersign/graph/v1",
  id: "named",
  name: "Named",
  nodes: [
    { id: "gate", kind: "approval", config: { prompt: "Allow it?", for_node: "work", rejection_node: "work", expiry_node: "work" } },
    { id: "boss", kind: "supervisor", config: { agent_id: "planner", managed_nodes: ["work", "other"] } },
    { id: "peer", kind: "agent", config: { agent_id: "planner", swarm: { peers: ["work", "other"] } } },
    { id: "each", kind: "map", config: { worker_node: "work", items: { value: [] } } },
    { id: "only", kind: "supervisor", config: { agent_id: "planner", managed_nodes: ["work"] } },
    { id: "seen", kind: "review", config: { target: "t", reviewers: [], expiry_node: "work" } },
    router("work"),
    router("other"),
    router("after"),
  ],
  edges: [{ id: "on", source: "work", target: "after" }],
  start_node: "boss",
  end_nodes: ["after"],
});

const named = ({ nodes }: Graph): Record<string, readonly (string | undefined)[]> => {
  const spokenOf = (node: GraphNode) => {
    if (node.kind === "approval") return [node.config.for_node];

    return node.kind === "map" ? [node.config.worker_node] : [];
  };

  return Object.fromEntries(
    nodes.filter((node) => node.kind !== "router").map((node) => [node.id, [...spokenOf(node), ...listDeclaredTargets(node)]]),
  );
};

describe("what a node's configuration names", () => {
  test("follows a rename everywhere", () => {
    expect(named(applyEdit(graph, { op: "rename_node", node: "work", to: "job" }))).toEqual({
      gate: ["job", "job", "job"],
      boss: ["job", "other"],
      peer: ["job", "other"],
      each: ["job"],
      only: ["job"],
      seen: ["job"],
    });
  });

  test("is gone with the node, except in required fields, where the validator reports it missing", () => {
    expect(named(applyEdit(graph, { op: "remove_node", node: "work", rejoin: false }))).toEqual({
      gate: [undefined],
      boss: ["other"],
      peer: ["other"],
      each: ["work"],
      only: ["work"],
      seen: [],
    });
  });

  test("follows the successor on rejoin, for targets only", () => {
    expect(named(applyEdit(graph, { op: "remove_node", node: "work", rejoin: true }))).toEqual({
      gate: [undefined, "after", "after"],
      boss: ["after", "other"],
      peer: ["after", "other"],
      each: ["work"],
      only: ["after"],
      seen: ["after"],
    });
  });

  test("never leads back to the node that names it, and never twice to the same", () => {
    const back = applyEdit(graph, { op: "add_edge", edge: { id: "back", source: "other", target: "boss", kind: "normal" } });
    expect(named(applyEdit(back, { op: "remove_node", node: "other", rejoin: true }))["boss"]).toEqual(["work"]);
    const joined = applyEdit(graph, { op: "replace_edge", edge: { id: "on", source: "work", target: "other", kind: "normal" } });
    expect(named(applyEdit(joined, { op: "remove_node", node: "work", rejoin: true }))["boss"]).toEqual(["other"]);
  });

  test("leads targets through an inserted node, but not workers", () => {
    expect(named(applyEdit(graph, { op: "insert_before", before: "work", node: router("check") }))).toEqual({
      gate: ["work", "check", "check"],
      boss: ["check", "other"],
      peer: ["check", "other"],
      each: ["work"],
      only: ["check"],
      seen: ["check"],
    });
  });

  test("leaves a node that names nothing of it the same object, so that the canvas does not draw it again", () => {
    const after = applyEdit(graph, { op: "rename_node", node: "after", to: "end" });
    expect(after.nodes.slice(0, 8)).toSatisfy((nodes: GraphNode[]) => nodes.every((node, index) => node === graph.nodes[index]));
  });
});
