import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { DIRECTIONS, walkFrom } from "./walk";

const drawn = (places: Readonly<Record<string, readonly [x: number, y: number]>>, ways: readonly string[] = []): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "g",
    name: "G",
    nodes: Object.entries(places).map(([id, [x, y]]) => ({ id, kind: "router", config: {}, position: { x, y } })),
    edges: ways.map(([source = "", target = ""]) => ({ id: `${source}-${target}`, source, target })),
    start_node: "a",
    end_nodes: [],
  });

describe("an arrow key", () => {
  test("follows an edge rather than going to a nearer node", () => {
    const places = { a: [0, 0], near: [240, 0], far: [560, 100] } as const;

    expect(walkFrom(drawn(places, []), "a", "right")).toBe("near");
    expect(walkFrom(drawn({ ...places }, []), "far", "left")).toBe("near");
    const joined: Graph = { ...drawn(places), edges: [{ id: "w", source: "a", target: "far", kind: "normal" }] };
    expect(walkFrom(joined, "a", "right")).toBe("far");
    expect(walkFrom(joined, "far", "left")).toBe("a");
  });

  test("takes the straightest of several edges, and cycles through their targets with up and down", () => {
    const graph = drawn({ a: [0, 0], b: [280, -120], c: [280, 0], d: [280, 120] }, ["ab", "ac", "ad"]);

    expect(walkFrom(graph, "a", "right")).toBe("c");
    expect(walkFrom(graph, "c", "up")).toBe("b");
    expect(walkFrom(graph, "c", "down")).toBe("d");
    expect(walkFrom(graph, "d", "left")).toBe("a");
  });

  test("reaches what lies far aside when nothing else is on that side, and stays where nothing is", () => {
    const graph = drawn({ a: [0, 0], b: [100, 900] });

    expect(walkFrom(graph, "a", "right")).toBe("b");
    expect(walkFrom(graph, "a", "up")).toBeNull();
    expect(walkFrom(graph, "gone", "up")).toBeNull();
  });

  test("always leads to the side that it points to", () => {
    const place = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -900, max: 900 }));
    const ways = fc.array(fc.constantFrom("ab", "ba", "bc", "ca", "cd", "da"), { maxLength: 4 });
    fc.assert(
      fc.property(place, place, place, place, ways, fc.constantFrom(...DIRECTIONS), (a, b, c, d, joins, direction) => {
        const places: Record<string, readonly [number, number]> = { a, b, c, d };
        const graph = drawn(places, [...new Set(joins)]);
        const isThere = ([x, y]: readonly [number, number]) =>
          ({ up: y < a[1], down: y > a[1], left: x < a[0], right: x > a[0] })[direction];
        const to = walkFrom(graph, "a", direction);
        expect(to === null ? ![b, c, d].some(isThere) : isThere(places[to] ?? a)).toBe(true);
      }),
    );
  });
});
