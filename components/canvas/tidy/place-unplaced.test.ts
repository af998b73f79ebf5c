import { expect, test } from "vitest";
import { graphSchema, type GraphInput } from "@/lib/graph/document";
import { LAYOUT_MEASURES } from "@/components/canvas/flow/geometry";
import { largeGraph } from "@/lib/graph/testing/large";
import { placeUnplaced } from "./place-unplaced";

const graphOf = (positions: readonly ({ readonly x: number; readonly y: number } | undefined)[]) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "g",
    name: "G",
    nodes: positions.map((position, index) => ({ id: `n${index}`, kind: "router", config: {}, ...(position && { position }) })),
    edges: positions.slice(1).map((_, index) => ({ id: `e${index}`, source: `n${index}`, target: `n${index + 1}` })),
    start_node: "n0",
    end_nodes: [],
  } satisfies GraphInput);

test("lays out a graph without positions, in reading order", () => {
  const placed = placeUnplaced(graphOf([undefined, undefined, undefined]));
  expect(placed.nodes.map(({ position }) => position)).toEqual([
    { x: 0, y: 0 },
    { x: 288, y: 0 },
    { x: 576, y: 0 },
  ]);
});

test("wraps four steps, which would not be legible in one row between the panels", () => {
  const placed = placeUnplaced(graphOf([undefined, undefined, undefined, undefined]));
  expect(placed.nodes.map(({ position: { x, y } }) => [x, y > 0])).toEqual([
    [0, false],
    [288, false],
    [0, true],
    [288, true],
  ]);
});

test("lays out a graph with only some positions", () => {
  const placed = placeUnplaced(graphOf([{ x: 500, y: 500 }, undefined, undefined]));
  expect(new Set(placed.nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(3);
});

test("keeps a graph whose nodes all have their own spot", () => {
  const graph = graphOf([undefined, { x: 7, y: 9 }]);
  expect(placeUnplaced(graph)).toBe(graph);
});

test("lays out 500 nodes without positions in rows, none over another", () => {
  const large = largeGraph({ seed: 1, nodes: 500, edges: 750 });
  const flat = { ...large, nodes: large.nodes.map((node) => ({ ...node, position: { x: 0, y: 0 } })) };
  const chain = {
    ...flat,
    edges: flat.nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: `step_${index}`, target: id, kind: "normal" as const })),
  };
  const { widthPx, heightPx } = LAYOUT_MEASURES.size;
  for (const graph of [flat, chain]) {
    const spots = placeUnplaced(graph).nodes.map(({ position }) => position);
    const isOver = ({ x, y }: (typeof spots)[number], index: number) =>
      spots.some((other, at) => at < index && Math.abs(other.x - x) < widthPx && Math.abs(other.y - y) < heightPx);
    expect(spots.filter(isOver)).toEqual([]);
    const [width, height] = [Math.max(...spots.map(({ x }) => x)), Math.max(...spots.map(({ y }) => y))];
    expect(width / height).toBeGreaterThan(0.5);
    expect(width / height).toBeLessThan(3);
  }
});
