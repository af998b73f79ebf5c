import { describe, expect, test } from "vitest";
import { mapShape, NODE, listTakenEdges, type MapNode } from "./map-shape";

const node = (id: string, at: MapNode["at"], title = id): MapNode => ({ id, title, kind: "agent", at, state: "idle" });
const way = (source: string, target: string) => ({ source, target, isTaken: false });
const box = (viewBox: string) => viewBox.split(" ").map(Number) as [number, number, number, number];

describe("mapShape", () => {
  test("keeps the canvas positions and contains every node and edge", () => {
    const shape = mapShape([node("a", { x: -40, y: 10 }), node("b", { x: 230, y: 20 })], [way("a", "b"), way("b", "a")]);
    const [x, y, width, height] = box(shape.viewBox);

    expect(shape.nodes.map((each) => [each.x, each.y])).toEqual([
      [-40, 10],
      [230, 20],
    ]);
    expect(x).toBeLessThan(-40);
    expect(y).toBeLessThan(10);
    expect(x + width).toBeGreaterThan(230 + NODE.width);
    expect(y + height).toBeGreaterThan(20 + NODE.height);
    expect(shape.edges.map(({ isBack }) => isBack)).toEqual([false, true]);
  });

  test.each([
    ["they have no positions", null],
    ["they all stand on one place", { x: 0, y: 0 }],
  ])("is laid out when %s: no two nodes on one place, each way to the right", (_, at) => {
    const ids = ["a", "b", "c", "d"];
    const shape = mapShape(
      ids.map((id) => node(id, at)),
      [way("a", "b"), way("a", "c"), way("b", "d"), way("c", "d")],
    );

    expect(new Set(shape.nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    expect(shape.edges.some(({ isBack }) => isBack)).toBe(false);
  });

  test("lays out graphs that are too tall to read in a strip", () => {
    const high = ["a", "b", "c"].map((id, index) => node(id, { x: 0, y: index * 900 }));
    const shape = mapShape(high, [way("a", "b"), way("b", "c")]);

    expect(new Set(shape.nodes.map(({ y }) => y)).size).toBe(1);
  });

  test("handles an empty graph and skips edges to missing nodes", () => {
    expect(mapShape([], [way("a", "b")])).toMatchObject({ nodes: [], edges: [] });
    expect(box(mapShape([], []).viewBox).every(Number.isFinite)).toBe(true);
  });

  test("truncates long titles by whole characters, and omits unreadable titles", () => {
    const shape = mapShape([node("a", null, "😀".repeat(30))], []);
    const many = Array.from({ length: 30 }, (_, index) => node(`n${index}`, null));
    const ways = many.slice(1).map(({ id }, index) => way(`n${index}`, id));

    expect(shape.nodes[0]?.short).toBe(`${"😀".repeat(15)}…`);
    expect([shape.hasTitles, mapShape(many, ways).hasTitles]).toEqual([true, false]);
  });
});

test("listTakenEdges contains each edge between consecutive visits once", () => {
  expect([...listTakenEdges(["a", "b", "a", "b", "c"].map((id) => ({ node: id })))]).toEqual(["a b", "b a", "b c"]);
  expect(listTakenEdges([{ node: "a" }]).size).toBe(0);
});
