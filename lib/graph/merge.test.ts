import { describe, expect, test } from "vitest";
import type { Graph } from "@/lib/graph/document";
import { applyEdit, type EditOperation } from "@/lib/graph/edit";
import { mergeGraphs, type Choices } from "@/lib/graph/merge";
import { agent, drawn, gate, router } from "@/lib/graph/testing/graph-builders";

const BASE = drawn([agent("ask", [], ["plan"]), router("split"), gate("allow"), gate("deny"), gate("wait")], ["ask>split", "split>allow"]);
const ways = (document: Graph, ids: readonly string[]): Graph => ({
  ...document,
  edges: ids.map((id) => ({ id, source: "split", target: id, kind: "normal" })),
});
const after = (...edits: EditOperation[]): Graph => edits.reduce(applyEdit, BASE);
const titled = (id: string, title: string, instructions?: string): EditOperation => {
  const node = BASE.nodes.find((one) => one.id === id);
  if (!node || node.kind !== "agent") throw new Error(`no agent ${id}`);

  return {
    op: "replace_node",
    node: { ...node, title, config: { ...node.config, ...(instructions === undefined ? {} : { instructions }) } },
  };
};
const remove = (node: string): EditOperation => ({ op: "remove_node", node, rejoin: false });
const join = (source: string, target: string): EditOperation => ({
  op: "add_edge",
  edge: { id: `${source}-${target}`, source, target, kind: "normal" },
});
const asked = (mine: Graph, theirs: Graph, choices?: Choices) => mergeGraphs(BASE, mine, theirs, choices).conflicts.map(({ id }) => id);
const nodeIn = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id);

describe("one node, changed by both", () => {
  test("in different fields: both changes are there", () => {
    const { document, conflicts } = mergeGraphs(BASE, after(titled("ask", "Ask them")), after(titled("ask", "", "Be brief.")));
    expect(conflicts).toEqual([]);
    expect(nodeIn(document, "ask")).toMatchObject({ title: "Ask them", config: { instructions: "Be brief.", agent_id: "writer" } });
  });

  test("in the same field: both values are there to choose from, mine by default", () => {
    const versions = [BASE, after(titled("ask", "Mine")), after(titled("ask", "Theirs"))] as const;
    const { document, conflicts } = mergeGraphs(...versions);
    expect(conflicts).toEqual([
      {
        id: "node:ask:title",
        on: "node",
        subject: "ask",
        field: "title",
        base: "",
        mine: "Mine",
        theirs: "Theirs",
        choice: "mine",
        namedBy: [],
      },
    ]);
    expect(nodeIn(document, "ask")?.title).toBe("Mine");
    expect(nodeIn(mergeGraphs(...versions, new Map([["node:ask:title", "theirs"]])).document, "ask")?.title).toBe("Theirs");
  });

  test("moved by both: keeps my position without a conflict", () => {
    const move = (x: number) => after({ op: "move_nodes", positions: { ask: { x, y: 0 } } });
    const { document, conflicts } = mergeGraphs(BASE, move(10), move(20));
    expect(conflicts).toEqual([]);
    expect(nodeIn(document, "ask")?.position).toEqual({ x: 10, y: 0 });
  });

  test("names that both added to one list are all there", () => {
    const ends = (...ids: string[]) => after({ op: "settings", settings: { end_nodes: [...BASE.end_nodes, ...ids] } });
    const { document, conflicts } = mergeGraphs(BASE, ends("ask"), ends("split"));
    expect(conflicts).toEqual([]);
    expect(new Set(document.end_nodes)).toEqual(new Set([...BASE.end_nodes, "ask", "split"]));
  });
});

describe("what one removed", () => {
  test("is a conflict when the other changed it, and is restored with its edges when theirs is chosen", () => {
    const versions = [BASE, after(remove("ask")), after(titled("ask", "Changed"))] as const;
    expect(mergeGraphs(...versions).conflicts).toMatchObject([{ id: "node:ask:", mine: undefined }]);
    expect(nodeIn(mergeGraphs(...versions).document, "ask")).toBeUndefined();
    const { document } = mergeGraphs(...versions, new Map([["node:ask:", "theirs"]]));
    expect(nodeIn(document, "ask")?.title).toBe("Changed");
    expect(document.edges.map(({ id }) => id)).toEqual(BASE.edges.map(({ id }) => id));
  });

  test("is a conflict when the other adds an edge to it", () => {
    const versions = [BASE, after(remove("wait")), after(join("split", "wait"))] as const;
    const { document, conflicts } = mergeGraphs(...versions);
    expect(conflicts).toMatchObject([{ id: "node:wait:", namedBy: ["edge:split-wait"] }]);
    expect(document.edges.map(({ target }) => target)).not.toContain("wait");
    const kept = mergeGraphs(...versions, new Map([["node:wait:", "theirs"]])).document;
    expect(nodeIn(kept, "wait")).toBeDefined();
    expect(kept.edges.map(({ target }) => target)).toContain("wait");
  });

  test("is a conflict when the other lets the run start there", () => {
    const mine = after({ op: "settings", settings: { start_node: "wait" } });
    const versions = [BASE, mine, after(remove("wait"))] as const;
    expect(mergeGraphs(...versions)).toMatchObject({ document: { start_node: "wait" }, conflicts: [{ id: "node:wait:" }] });
    expect(mergeGraphs(...versions, new Map([["node:wait:", "theirs"]])).document.start_node).toBe("ask");
  });

  test("is a conflict when the other grants the memory key that is gone", () => {
    const granted = { ...BASE, nodes: BASE.nodes.map((node) => (node.id === "split" ? { ...node, read_keys: ["plan"] } : node)) };
    expect(asked(after({ op: "remove_memory_key", key: "plan" }), granted)).toEqual(["key:plan:"]);
  });
});

describe("the outgoing edges of a node", () => {
  const base = ways(BASE, ["allow", "deny", "wait"]);
  const order = (mine: readonly string[], theirs: readonly string[], choices?: Choices) => {
    const { document, conflicts } = mergeGraphs(base, ways(BASE, mine), ways(BASE, theirs), choices);

    return { order: document.edges.map(({ id }) => id), asked: conflicts.map(({ id }) => id) };
  };

  test("take the order of the side that moved them", () => {
    expect(order(["allow", "deny", "wait"], ["deny", "allow", "wait"])).toEqual({ order: ["deny", "allow", "wait"], asked: [] });
  });

  test("are a conflict when both reordered them", () => {
    const mine = ["deny", "allow", "wait"];
    const theirs = ["allow", "wait", "deny"];
    expect(order(mine, theirs)).toEqual({ order: mine, asked: ["ways:split:order"] });
    expect(order(mine, theirs, new Map([["ways:split:order", "theirs"]])).order).toEqual(theirs);
  });
});

test("two drafts that together are more than a document holds are chosen whole", () => {
  const keys = (prefix: string): Graph => ({
    ...BASE,
    memory: Array.from({ length: 300 }, (_, index) => ({ ...BASE.memory[0]!, key: `${prefix}${index}` })),
  });
  const versions = [BASE, keys("mine"), keys("theirs")] as const;
  expect(mergeGraphs(...versions)).toMatchObject({
    document: { memory: { length: 300 } },
    conflicts: [{ on: "document", choice: "mine" }],
  });
  expect(mergeGraphs(...versions, new Map([["document::", "theirs"]])).document).toBe(versions[2]);
});
