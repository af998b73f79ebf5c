import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { layoutOf, layoutTask, settlePlaces, type LayoutTask } from "@/lib/graph/layout";
import { findReachable } from "@/lib/graph/topology";

const MEASURES = { size: { widthPx: 224, heightPx: 72 }, gridPx: 8, room: null };

const ROOM = { widthPx: 960, heightPx: 720 };

type Point = { readonly x: number; readonly y: number };

const overlaps = (a: Point, b: Point) => Math.abs(a.x - b.x) < MEASURES.size.widthPx && Math.abs(a.y - b.y) < MEASURES.size.heightPx;

const overlapping = (places: readonly Point[]): boolean => {
  const sorted = places.toSorted((a, b) => a.x - b.x);

  return sorted.some((place, index) => {
    for (const other of sorted.slice(index + 1)) {
      if (other.x - place.x >= MEASURES.size.widthPx) return false;
      if (overlaps(place, other)) return true;
    }

    return false;
  });
};

const anyTask: fc.Arbitrary<LayoutTask> = fc
  .tuple(fc.integer({ min: 0, max: 25 }), fc.array(fc.tuple(fc.nat(24), fc.nat(24)), { maxLength: 60 }))
  .map(([count, joints]) => ({
    ...MEASURES,
    nodes: Array.from({ length: count }, (_, index) => `n${index}`),
    ways: joints.flatMap(([from, to]) => (from < count && to < count ? [[`n${from}`, `n${to}`] as const] : [])),
  }));

const oneWay = ({ ways }: LayoutTask) => {
  const next = new Map<string, string[]>();
  for (const [source, target] of ways) next.set(source, [...(next.get(source) ?? []), target]);

  return ways.filter(([source, target]) => !findReachable([target], next).has(source));
};

const backwards = (task: LayoutTask, places: ReadonlyMap<string, Point>) =>
  oneWay(task).filter(([source, target]) => places.get(target)!.x < places.get(source)!.x + MEASURES.size.widthPx);

const seeded = (nodes: number, ways: number, reachPerWay: number): LayoutTask => {
  let seed = 7;
  const upTo = (limit: number) => (seed = (seed * 16_807) % 2_147_483_647) % limit;

  return {
    ...MEASURES,
    nodes: Array.from({ length: nodes }, (_, index) => `n${index}`),
    ways: Array.from({ length: ways }, () => {
      const from = upTo(nodes);

      return [`n${from}`, `n${Math.min(nodes - 1, from + 1 + upTo(reachPerWay))}`] as const;
    }),
  };
};

describe("a layout", () => {
  test("places every node without overlap, left to right except for cycles", () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const places = layoutOf(task);
        expect([...places.keys()].toSorted()).toEqual(task.nodes.toSorted());
        expect(overlapping([...places.values()])).toBe(false);
        expect(backwards(task, places)).toEqual([]);
      }),
    );
  });

  test("is always the same, on the grid, and begins at 0", () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const places = layoutOf(task);
        expect(layoutOf(structuredClone(task))).toEqual(places);
        const numbers = [...places.values()].flatMap(({ x, y }) => [x, y]);
        expect(numbers.every((value) => value >= 0 && value % MEASURES.gridPx === 0)).toBe(true);
      }),
    );
  });

  test("puts a straight line into one row, in its order", () => {
    const ways = [
      ["a", "b"],
      ["b", "c"],
    ] as const;
    const places = layoutOf({ ...MEASURES, nodes: ["c", "b", "a"], ways });
    expect(["a", "b", "c"].map((id) => places.get(id))).toEqual([
      { x: 0, y: 0 },
      { x: 288, y: 0 },
      { x: 576, y: 0 },
    ]);
  });

  test.each([
    ["nearby ways", seeded(1_000, 1_500, 6)],
    ["ways anywhere", seeded(1_000, 1_500, 1_000)],
    [
      "one node before all others",
      {
        ...MEASURES,
        nodes: seeded(1_000, 0, 1).nodes,
        ways: seeded(1_000, 0, 1)
          .nodes.slice(1)
          .map((id) => ["n0", id] as const),
      },
    ],
  ])("comes to an end with 1,000 nodes and %s", (_, task) => {
    const places = layoutOf(task);
    expect(places.size).toBe(1_000);
    expect(overlapping([...places.values()])).toBe(false);
  });
});

describe("a layout with a room", () => {
  const chain = (length: number): LayoutTask => {
    const nodes = Array.from({ length }, (_, index) => `n${index}`);

    return { ...MEASURES, room: ROOM, nodes, ways: nodes.slice(1).map((id, index) => [`n${index}`, id] as const) };
  };
  const extentOf = (places: ReadonlyMap<string, Point>) => ({
    widthPx: Math.max(...[...places.values()].map(({ x }) => x)) + MEASURES.size.widthPx,
    heightPx: Math.max(...[...places.values()].map(({ y }) => y)) + MEASURES.size.heightPx,
  });

  test("never overlaps, and leads to the right or to a lower row except for cycles", () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        const places = layoutOf({ ...task, room: ROOM });
        expect([...places.keys()].toSorted()).toEqual(task.nodes.toSorted());
        expect(overlapping([...places.values()])).toBe(false);
        const { widthPx, heightPx } = MEASURES.size;
        const astray = oneWay(task).filter(([source, target]) => {
          const [from, to] = [places.get(source)!, places.get(target)!];

          return to.x < from.x + widthPx && to.y < from.y + heightPx;
        });
        expect(astray).toEqual([]);
      }),
    );
  });

  test("reads a chain of any length like text, no wider than the room's shape allows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), (length) => {
        const task = chain(length);
        const places = layoutOf(task);
        const inOrder = [...places].toSorted(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id);
        expect(inOrder).toEqual(task.nodes);
        const { widthPx, heightPx } = extentOf(places);
        expect(widthPx).toBeLessThanOrEqual(Math.max(ROOM.widthPx / 0.75, heightPx * 2));
      }),
    );
  });

  test("stays one row while that is legible, and takes few rows afterwards", () => {
    const rowsOf = (length: number) => new Set([...layoutOf(chain(length)).values()].map(({ y }) => y)).size;
    expect([1, 4, 5, 9, 12, 17].map(rowsOf)).toEqual([1, 1, 2, 3, 3, 5]);
  });
});

describe("the links used by the layout", () => {
  test("are edges, declared targets and workers", () => {
    const graph = graphSchema.parse({
      format: "countersign/graph/v1",
      id: "g",
      name: "G",
      nodes: [
        { id: "work", kind: "router", config: {} },
        { id: "ask", kind: "approval", config: { prompt: "?", rejection_node: "no" } },
        { id: "no", kind: "router", config: {} },
      ],
      edges: [{ id: "e", source: "ask", target: "work" }],
      start_node: "ask",
      end_nodes: ["work", "no"],
    });
    expect(layoutTask(graph, MEASURES)).toEqual({
      ...MEASURES,
      nodes: ["ask", "work", "no"],
      ways: [
        ["ask", "work"],
        ["ask", "no"],
      ],
    });
    expect(layoutTask(graph, MEASURES, new Set(["ask", "no"]))).toMatchObject({ nodes: ["ask", "no"], ways: [["ask", "no"]] });
  });
});

describe("a layout that comes to stand in a graph", () => {
  const anyPlaced: fc.Arbitrary<Graph> = fc
    .tuple(
      consistentGraph,
      fc.array(fc.record({ x: fc.integer({ min: 0, max: 600 }), y: fc.integer({ min: 0, max: 120 }) }), { minLength: 8, maxLength: 8 }),
    )
    .map(([graph, points]) => ({
      ...graph,
      nodes: graph.nodes.map((node, index) => ({ ...node, position: points[index] ?? { x: 0, y: 0 } })),
    }));

  test("moves only the selected nodes, and never onto others", () => {
    fc.assert(
      fc.property(anyPlaced, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (graph, chosen) => {
        const only = new Set(graph.nodes.flatMap(({ id }, index) => (chosen[index] === true ? [id] : [])));
        const positions = settlePlaces(graph, layoutOf(layoutTask(graph, MEASURES, only)), MEASURES);
        const after = applyEdit(graph, { op: "move_nodes", positions });
        const [moved, stayed] = [after.nodes.filter(({ id }) => only.has(id)), after.nodes.filter(({ id }) => !only.has(id))];
        expect(stayed).toEqual(graph.nodes.filter(({ id }) => !only.has(id)));
        expect(moved.some((node) => stayed.some((other) => overlaps(node.position, other.position)))).toBe(false);
        expect(overlapping(moved.map(({ position }) => position))).toBe(false);
      }),
    );
  });

  test("keeps its corner where it was when there is room", () => {
    const graph = graphSchema.parse({
      format: "countersign/graph/v1",
      id: "g",
      name: "G",
      nodes: [{ id: "a", kind: "router", config: {}, position: { x: 104, y: 56 } }],
      edges: [],
      start_node: "a",
      end_nodes: [],
    });
    expect(settlePlaces(graph, layoutOf(layoutTask(graph, MEASURES)), MEASURES)).toEqual({ a: { x: 104, y: 56 } });
  });
});
