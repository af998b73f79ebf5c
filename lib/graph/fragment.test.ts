import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consistentGraph } from "@/lib/graph/arbitrary";
import { graphSchema, type Graph, type GraphInput, type GraphNode } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { withReferences } from "@/lib/graph/edit-references";
import { copyFragment, hasRoomFor, pasteFragment, readFragment, type Fragment } from "@/lib/graph/fragment";

const AT = { x: 40, y: 80 };

const graphOf = (parts: Pick<GraphInput, "nodes"> & Partial<GraphInput>): Graph =>
  graphSchema.parse({ format: "countersign/graph/v1", id: "g", name: "G", edges: [], start_node: "start", end_nodes: [], ...parts });

const router = (id: string) => ({ id, kind: "router" as const, config: {} });

const anyCopy = fc
  .tuple(consistentGraph, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), consistentGraph, fc.boolean())
  .map(([graph, chosen, other, isHome]) => ({
    graph,
    chosen: graph.nodes.flatMap(({ id }, index) => (chosen[index] === true ? [id] : [])),
    into: isHome ? graph : other,
    origin: isHome ? "here" : "elsewhere",
  }))
  .filter(({ chosen }) => chosen.length > 0);

const paste = (into: Graph, fragment: Fragment, origin: string) => {
  const pasted = pasteFragment(into, fragment, origin, AT);

  return { pasted, after: pasted.edits.reduce(applyEdit, into) };
};

const namedBy = (node: GraphNode): Set<string> => {
  const named = new Set<string>();
  const note = (id: string) => {
    named.add(id);

    return id;
  };
  withReferences(node, { way: note, part: note });

  return named;
};

const asCopied = (node: GraphNode, fragment: Fragment, names: ReadonlyMap<string, string>, isKnown: (id: string) => boolean): GraphNode => {
  const old = names.get(node.id) ?? node.id;
  const back = (id: string) => names.get(id) ?? (isKnown(id) ? id : undefined);
  const position = fragment.nodes.find(({ id }) => id === old)!.position;

  return withReferences({ ...node, id: old, position }, { way: back, part: back });
};

describe("pasting a copy", () => {
  test("brings the memory that only the condition of an edge speaks of", () => {
    const graph = graphOf({
      nodes: [router("start"), router("next")],
      memory: [{ key: "flag", schema: {} }],
      edges: [{ id: "way", source: "start", target: "next", condition: "memory.flag == true" }],
    });
    expect(copyFragment(graph, ["start", "next"], "here")?.memory.map(({ key }) => key)).toEqual(["flag"]);
    expect(copyFragment(graph, ["start"], "here")?.memory).toEqual([]);
  });

  test("adds exactly an isomorphic copy under unused ids, and changes no existing part", () => {
    fc.assert(
      fc.property(anyCopy, ({ graph, chosen, into, origin }) => {
        const fragment = copyFragment(graph, chosen, "here")!;
        const { pasted, after } = paste(into, fragment, origin);
        expect(after.nodes.slice(0, into.nodes.length)).toEqual(into.nodes);
        expect(after.edges.slice(0, into.edges.length)).toEqual(into.edges);
        expect(after.memory.slice(0, into.memory.length)).toEqual(into.memory);
        const added = after.nodes.slice(into.nodes.length);
        expect(added.map(({ id }) => id)).toEqual(pasted.nodes);
        expect(new Set(after.nodes.map(({ id }) => id)).size).toBe(after.nodes.length);
        expect(new Set(after.edges.map(({ id }) => id)).size).toBe(after.edges.length);

        const names = new Map(fragment.nodes.map(({ id }, index) => [pasted.nodes[index]!, id]));
        const isKnown = (id: string) => origin === "here" && into.nodes.some((node) => node.id === id);
        const own = new Set(fragment.nodes.map(({ id }) => id));
        const kept = (id: string) => (own.has(id) || isKnown(id) ? id : undefined);
        expect(added.map((node) => asCopied(node, fragment, names, isKnown))).toEqual(
          fragment.nodes.map((node) => withReferences(node, { way: kept, part: kept })),
        );
        const joints = after.edges
          .slice(into.edges.length)
          .map((edge) => ({ ...edge, id: "", source: names.get(edge.source), target: names.get(edge.target) }));
        expect(joints).toEqual(fragment.edges.map((edge) => ({ ...edge, id: "" })));
      }),
    );
  });

  test("leaves no reference dangling that did not dangle where it was copied", () => {
    fc.assert(
      fc.property(anyCopy, ({ graph, chosen, into, origin }) => {
        const there = new Set(graph.nodes.map(({ id }) => id));
        const lost = new Set(graph.nodes.flatMap((node) => [...namedBy(node)].filter((id) => !there.has(id))));
        const { pasted, after } = paste(into, copyFragment(graph, chosen, "here")!, origin);
        const now = new Set(after.nodes.map(({ id }) => id));
        const added = after.nodes.filter(({ id }) => pasted.nodes.includes(id));
        expect(added.flatMap((node) => [...namedBy(node)].filter((id) => !now.has(id) && !lost.has(id)))).toEqual([]);
      }),
    );
  });

  test("elsewhere speaks of nothing but itself: a node of the same name is another one", () => {
    const from = graphOf({ nodes: [{ id: "ask", kind: "approval", config: { prompt: "?", rejection_node: "stop" } }, router("stop")] });
    const into = graphOf({ nodes: [router("stop")] });
    const fragment = copyFragment(from, ["ask"], "one")!;
    const ask = (origin: string) => paste(into, fragment, origin).after.nodes.find(({ id }) => id === "ask")?.config;
    expect(ask("two")).not.toHaveProperty("rejection_node");
    expect(ask("one")).toHaveProperty("rejection_node", "stop");
  });

  test("gives no copy a name that another node refers to", () => {
    const ask = { id: "ask", kind: "approval" as const, config: { prompt: "?", rejection_node: "a_2" } };
    const graph = graphOf({ nodes: [router("a"), ask] });
    expect(paste(graph, copyFragment(graph, ["a"], "here")!, "here").pasted.nodes).toEqual(["a_3"]);
  });

  test("makes a document that the schema accepts", () => {
    fc.assert(
      fc.property(anyCopy, ({ graph, chosen, into, origin }) => {
        const { after } = paste(into, copyFragment(graph, chosen, "here")!, origin);
        expect(graphSchema.safeParse(after).success).toBe(true);
      }),
    );
  });

  test("puts its upper left corner where it is asked to, and keeps the shape", () => {
    const at = (id: string, x: number, y: number) => ({ ...router(id), position: { x, y } });
    const graph = graphOf({ nodes: [at("a", 100, 300), at("b", 400, 200)] });
    const { after } = paste(graph, copyFragment(graph, ["a", "b"], "here")!, "here");
    expect(after.nodes.slice(2).map(({ id, position }) => [id, position])).toEqual([
      ["a_2", { x: 40, y: 180 }],
      ["b_2", { x: 340, y: 80 }],
    ]);
  });

  test("into an empty graph brings start and end along, and keeps the names", () => {
    const graph = graphOf({
      nodes: [router("a"), router("b")],
      edges: [{ id: "ba", source: "b", target: "a" }],
      start_node: "b",
      end_nodes: ["a"],
    });
    const { after } = paste(graphOf({ nodes: [] }), copyFragment(graph, ["a", "b"], "here")!, "there");
    expect(after).toMatchObject({ start_node: "b", end_nodes: ["a"], nodes: [{ id: "a" }, { id: "b" }], edges: [{ id: "ba" }] });
  });

  test("restores a node after cutting it", () => {
    const graph = graphOf({
      nodes: [router("a"), router("b")],
      edges: [{ id: "ab", source: "a", target: "b" }],
      start_node: "a",
      end_nodes: ["b"],
    });
    const fragment = copyFragment(graph, ["b"], "here")!;
    const { after } = paste(applyEdit(graph, { op: "remove_node", node: "b", rejoin: false }), fragment, "here");
    expect(after).toMatchObject({ nodes: [{ id: "a" }, { id: "b" }], end_nodes: ["b"] });
  });
});

describe("a copied fragment", () => {
  const declared = (key: string) => ({ key, schema: { type: "string" } });

  test("is whole: the worker of a map and the review of a judge come along, other nodes do not", () => {
    const graph = graphOf({
      nodes: [
        router("other"),
        { id: "each", kind: "map", config: { items: { from: "list" }, worker_node: "work", write_to: "list" } },
        { id: "work", kind: "router", config: {} },
      ],
    });
    expect(copyFragment(graph, ["each"], "here")?.nodes.map(({ id }) => id)).toEqual(["each", "work"]);
    expect(copyFragment(graph, ["work"], "here")?.nodes.map(({ id }) => id)).toEqual(["work"]);
    expect(copyFragment(graph, ["missing"], "here")).toBeNull();
  });

  test("has the memory that it speaks of, in grants, forms and expressions, and no other", () => {
    const graph = graphOf({
      memory: ["granted", "written", "computed", "unused"].map(declared),
      nodes: [
        {
          id: "t",
          kind: "transform",
          read_keys: ["granted.part"],
          write_keys: ["written"],
          config: { set: [{ path: "written", value: "memory.computed + 1" }] },
        },
        { ...router("all"), read_keys: ["*"] },
      ],
    });
    expect(copyFragment(graph, ["t"], "here")?.memory.map(({ key }) => key)).toEqual(["granted", "written", "computed"]);
    expect(copyFragment(graph, ["all"], "here")?.memory).toHaveLength(4);
  });

  test("brings missing memory along and leaves keys of the same name unchanged", () => {
    const graph = graphOf({ memory: [declared("a"), declared("b")], nodes: [{ ...router("r"), read_keys: ["a", "b"] }] });
    const into = graphOf({ memory: [{ ...declared("a"), protected: true }], nodes: [] });
    const { pasted, after } = paste(into, copyFragment(graph, ["r"], "here")!, "there");
    expect(pasted.memory).toEqual(["b"]);
    expect(after.memory).toMatchObject([{ key: "a", protected: true }, { key: "b" }]);
  });
});

describe("a copy as text", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(anyCopy, ({ graph, chosen }) => {
        const fragment = copyFragment(graph, chosen, "here")!;
        expect(readFragment(JSON.stringify(fragment))).toEqual(JSON.parse(JSON.stringify(fragment)));
      }),
    );
  });

  test("may be a whole document, whose names mean nothing elsewhere", () => {
    const graph = graphOf({ nodes: [router("a")], start_node: "a" });
    expect(readFragment(JSON.stringify(graph))).toMatchObject({ origin: "document g", nodes: [{ id: "a" }], start_node: "a" });
    expect(readFragment(JSON.stringify(graphOf({ nodes: [] })))).toBeNull();
  });

  test("that is broken, foreign or more than it should be is refused", () => {
    const fragment = copyFragment(
      graphOf({ nodes: [router("a"), router("b")], edges: [{ id: "ab", source: "a", target: "b" }] }),
      ["a", "b"],
      "here",
    )!;
    const [first] = fragment.nodes;
    const wrong: unknown[] = [
      "hello",
      null,
      [],
      { ...fragment, nodes: [] },
      { ...fragment, nodes: [first, first], edges: [] },
      { ...fragment, nodes: [first] },
      { ...fragment, more: true },
      { ...fragment, nodes: [{ ...first, kind: "wizard" }] },
      { ...fragment, origin: "x".repeat(65) },
    ];
    expect(wrong.map((value) => readFragment(JSON.stringify(value)))).toEqual(wrong.map(() => null));
    expect(readFragment("{")).toBeNull();
    expect(readFragment(JSON.stringify(fragment).replace('"config":{}', '"config":{"__proto__":{"x":1}}'))).toBeNull();
  });

  test("has room in a graph as long as both together are a document", () => {
    const many = graphOf({ nodes: Array.from({ length: 5_001 }, (_, index) => router(`n${index}`)) });
    const fragment = copyFragment(
      many,
      many.nodes.map(({ id }) => id),
      "here",
    )!;
    expect(hasRoomFor(many, fragment)).toBe(false);
    expect(hasRoomFor(many, { ...fragment, nodes: fragment.nodes.slice(2) })).toBe(true);
  });
});
