import { expect, test } from "vitest";
import { NO_DECORATIONS } from "@/components/canvas/flow/decoration";
import { applyEdit } from "@/lib/graph/edit";
import { largeGraph } from "@/lib/graph/testing/large";
import { nothingDrawn, toFlowEdges } from "./to-flow-edges";

const GRAPH = largeGraph({ seed: 1, nodes: 40, edges: 60 });
const NOTHING = { nodes: [], edges: [] };
const VIEW = { worst: new Map(), marks: new Map(), said: NO_DECORATIONS.edges };

test("keeps the identity of unchanged edges", () => {
  const drawn = nothingDrawn();
  const before = toFlowEdges(GRAPH, NOTHING, VIEW, drawn);
  const [node] = GRAPH.nodes;
  if (!node) throw new Error("no node");
  const titled = applyEdit(GRAPH, { op: "replace_node", node: { ...node, title: "Typed" } });
  expect(toFlowEdges(titled, NOTHING, VIEW, drawn)).toBe(before);

  const chosen = before[7]?.id ?? "";
  const after = toFlowEdges(titled, { nodes: [], edges: [chosen] }, VIEW, drawn);
  expect(after.filter((edge, index) => edge !== before[index]).map(({ id }) => id)).toEqual([chosen]);
  expect(after[7]).toMatchObject({ id: chosen, selected: true });
  const wrong = toFlowEdges(titled, NOTHING, { ...VIEW, worst: new Map([[`edge:${chosen}`, "error" as const]]) }, drawn);
  expect(wrong[7]?.ariaLabel).toContain("has errors");
});
