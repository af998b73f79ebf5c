import type { GraphInput } from "../lib/graph/document.ts";

const COLUMNS = 25;

/** A chain of routers from `n0`, in rows. */
export const largeGraph = (count: number): GraphInput => ({
  format: "countersign/graph/v1",
  id: "large",
  name: "Large",
  nodes: Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    kind: "router" as const,
    config: {},
    position: { x: (index % COLUMNS) * 280, y: Math.floor(index / COLUMNS) * 120 },
  })),
  edges: Array.from({ length: count - 1 }, (_, index) => ({ id: `e${index}`, source: `n${index}`, target: `n${index + 1}` })),
  start_node: "n0",
  end_nodes: [`n${count - 1}`],
  max_token_budget: 1_000,
});
