import * as fc from "fast-check";
import { expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { computeDominators, postDominatorsOf } from "@/lib/graph/dominators";
import { findReachable, buildTopology } from "@/lib/graph/topology";

const routers = (ways: readonly string[], ends: readonly string[]): Graph => {
  const pairs = ways.map((way) => way.split(">"));

  return graphSchema.parse({
    format: "countersign/graph/v1",
    id: "drawn",
    name: "Drawn",
    nodes: [...new Set(pairs.flat())].map((id) => ({ id, kind: "router", config: {} })),
    edges: pairs.map(([source, target], index) => ({ id: `e${index}`, source, target })),
    start_node: pairs[0]?.[0],
    end_nodes: ends,
  });
};

const endsWithout = (graph: Graph, from: string, without: string | null): boolean => {
  const { successors } = buildTopology(graph);
  const open = new Map([...successors].map(([id, targets]) => [id, targets.filter((target) => target !== without)]));
  const isWorker = (id: string) => graph.nodes.some((node) => node.kind === "map" && node.config.worker_node === id);
  const isLast = (id: string) => graph.end_nodes.includes(id) || (!successors.has(id) && !isWorker(id));

  return [...findReachable([from], open)].some(isLast);
};

test("a node dominates another exactly when removing it cuts every path from the start", () => {
  fc.assert(
    fc.property(consistentGraph, (graph) => {
      const topology = buildTopology(graph);
      const { dominates } = computeDominators(topology, graph.start_node);
      for (const gate of graph.nodes) {
        const without = buildTopology(applyEdit(graph, { op: "remove_node", node: gate.id, rejoin: false })).reachable;
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

test("post-dominators are exactly the nodes on every path to the end", () => {
  fc.assert(
    fc.property(consistentGraph, (graph) => {
      const { immediatePostDominator } = postDominatorsOf(graph);
      for (const { id } of graph.nodes) {
        const chain = new Set<string>();
        for (let at = immediatePostDominator(id); at !== null; at = immediatePostDominator(at)) {
          expect(chain.has(at), "the chain ends").toBe(false);
          chain.add(at);
        }
        const ends = endsWithout(graph, id, null);
        for (const other of graph.nodes) {
          const passed = ends && other.id !== id && !endsWithout(graph, id, other.id);
          expect(chain.has(other.id), `${other.id} after ${id}`).toBe(passed);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["two ways that join", ["a>b", "a>c", "b>d", "c>d"], ["d"], "a", "d"],
  ["one way through a chain: the next node", ["a>b", "b>c"], ["c"], "a", "b"],
  ["an end on the way: the run may stop there", ["a>b", "a>c", "b>d", "c>d"], ["b", "d"], "a", null],
  ["two ends that never join", ["a>b", "a>c"], ["b", "c"], "a", null],
  ["a loop is left where it ends", ["a>b", "b>a", "b>c"], ["c"], "a", "b"],
  ["a way that stops at no end node stops all the same", ["a>b", "a>c", "c>d"], ["d"], "a", null],
  ["a way that never ends has nothing behind it", ["a>b", "b>a"], [], "a", null],
])("%s", (_what, ways, ends, node, expected) => {
  expect(postDominatorsOf(routers(ways, ends)).immediatePostDominator(node)).toBe(expected);
});

test("a rejection is a way on: what follows an approval's edge does not follow from passing it", () => {
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "gated",
    name: "Gated",
    nodes: [
      { id: "gate", kind: "approval", config: { prompt: "On?", rejection_node: "no" } },
      { id: "yes", kind: "router", config: {} },
      { id: "no", kind: "router", config: {} },
      { id: "last", kind: "router", config: {} },
    ],
    edges: [
      { id: "e1", source: "gate", target: "yes" },
      { id: "e2", source: "yes", target: "last" },
      { id: "e3", source: "no", target: "last" },
    ],
    start_node: "gate",
    end_nodes: ["last"],
  });
  expect(postDominatorsOf(graph).immediatePostDominator("gate")).toBe("last");
});

test("10,000 nodes that share one error handler are answered at once, and the second question costs nothing", () => {
  const count = 9_998;
  const chain = Array.from({ length: count - 1 }, (_, index) => `n${index}>n${index + 1}`);
  const graph = routers([...chain, ...chain.map((way) => `${way.split(">")[0]}>handler`), "handler>last", `n${count - 1}>last`], ["last"]);
  const startMs = performance.now();
  const topology = buildTopology(graph);
  expect(computeDominators(topology, "n0").dominates("n0", "handler")).toBe(true);
  expect(postDominatorsOf(graph).immediatePostDominator("n0")).toBe("last");
  expect(performance.now() - startMs).toBeLessThan(5_000);
  expect(postDominatorsOf(graph)).toBe(postDominatorsOf(graph));
});

test("counts declared targets: managed nodes, peers and workers", () => {
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "declared",
    name: "Declared",
    nodes: [
      { id: "boss", kind: "supervisor", config: { agent_id: "a", managed_nodes: ["one", "two"] } },
      { id: "one", kind: "agent", config: { agent_id: "a", swarm: { peers: ["three"] } } },
      { id: "two", kind: "router", config: {} },
      { id: "three", kind: "map", config: { worker_node: "worker", items: { value: [1] } } },
      { id: "worker", kind: "transform", config: { set: [{ path: "x", value: "item" }] } },
    ],
    edges: [{ id: "e", source: "one", target: "two" }],
    start_node: "boss",
    end_nodes: ["two", "three"],
  });
  const topology = buildTopology(graph);
  expect([...topology.reachable].toSorted()).toEqual(["boss", "one", "three", "two", "worker"]);
  const { dominates } = computeDominators(topology, "boss");
  expect([dominates("one", "two"), dominates("one", "three"), dominates("three", "worker")]).toEqual([false, true, true]);
  expect(postDominatorsOf(graph).immediatePostDominator("boss")).toBe(null);
  expect(postDominatorsOf(graph).immediatePostDominator("three")).toBe(null);
});
