import * as fc from "fast-check";
import { expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { applyEdit } from "@/lib/graph/edit";
import { dominatorsOf } from "@/lib/graph/dominators";
import { topologyOf } from "@/lib/graph/topology";

test("a node dominates another exactly when taking it away cuts every way from the start", () => {
  fc.assert(
    fc.property(consistentGraph, (graph) => {
      const topology = topologyOf(graph);
      const { dominates } = dominatorsOf(topology, graph.start_node);
      for (const gate of graph.nodes) {
        const without = topologyOf(applyEdit(graph, { op: "remove_node", node: gate.id, rejoin: false })).reachable;
        for (const node of topology.reachable) {
          expect(dominates(gate.id, node), `${gate.id} over ${node}`).toBe(
            gate.id === node || (!without.has(node) && topology.reachable.has(gate.id)),
          );
        }
      }
    }),
    { numRuns: 500 },
  );
});
