import { describe, expect, test } from "vitest";
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import { child, step as node, using, version, writer } from "@/lib/engine/testing/kinds";
import { driven } from "@/lib/engine/testing/outside";
import { toGraphResource } from "@/lib/outside/graph-json";
import { toMermaid } from "@/lib/outside/mermaid";
import { buildActionSchema, buildActionSchemas } from "@/lib/outside/schemas";

const FORM = {
  key: "form",
  description: "The form",
  schema: {
    type: "object",
    properties: {
      size: { type: "string", enum: ["small", "large"], default: "small" },
      rows: { type: "array", items: { type: "integer" } },
    },
    additionalProperties: { type: "boolean" },
  },
};
const REFERRING = { key: "ref", schema: { $ref: "#/$defs/x", $defs: { x: { type: "string" } } } };
const KEYS = [...["topic", "out", "note", "more", "clean", "hidden"].map((key) => ({ key, schema: {} })), FORM, REFERRING];
const INPUTS = [
  { name: "size", path: "form.size", description: "How large" },
  { name: "row", path: "form.rows.0", required: false },
  { name: "flag", path: "form.any", required: false },
  { name: "form", path: "form", required: false },
  { name: "ref", path: "ref", required: false },
];
const ASK = { id: "ask", kind: "approval" as const, config: { prompt: "?", rejection_node: "no-thanks" } };
const EDGES = [
  { id: "a", source: "first", target: "ask", condition: 'memory.out == "a;b#\\"c"' },
  { id: "b", source: "first", target: "pay", kind: "default" as const },
  { id: "c", source: "first", target: "no-thanks", kind: "error" as const },
  { id: "d", source: "pay", target: "no-thanks", kind: "timeout" as const },
  { id: "e", source: "ask", target: "pay" },
  { id: "f", source: "pay", target: "sub" },
];
const EACH = { id: "each", kind: "map" as const, config: { worker_node: "worker", items: { value: [1] } } };
const GRAPH = driven(
  [
    node("first", { title: 'The "first"\nstep', read_keys: ["topic", "hidden"], action: { description: "Begins", inputs: INPUTS } }),
    ASK,
    writer("pay"),
    node("no-thanks"),
    using("sub", "c"),
    EACH,
    node("worker"),
  ],
  { memory: KEYS, edges: EDGES, end_nodes: ["sub", "no-thanks"], external: { read_keys: ["topic", "form", "out"] } },
  { subgraphs: [child("c", version([writer("erase", { effect: "irreversible" })]))] },
);

describe("the schema of an action's inputs", () => {
  const schema = buildActionSchema(GRAPH.graph, GRAPH.graph.nodes[0] ?? ({} as never));

  test("has type, required, default and enum of the written memory", () => {
    expect(schema).toMatchObject({
      type: "object",
      required: ["size"],
      additionalProperties: false,
      properties: {
        size: { type: "string", enum: ["small", "large"], default: "small", description: "How large" },
        row: { type: "integer" },
        flag: { type: "boolean" },
        form: { type: "object", description: "The form" },
      },
    });
  });

  test("omits references, which have no meaning there", () => {
    expect(schema["properties"]).toMatchObject({ ref: {} });
    expect(JSON.stringify(schema)).not.toContain("$ref");
  });

  test("exists for each action, and no other node", () => {
    expect(Object.keys(buildActionSchemas(GRAPH.graph, ["pay", "first"])).toSorted()).toEqual(["first", "pay"]);
  });
});

const arrows = (diagram: string): string[] => {
  const ids = new Map([...diagram.matchAll(/state "([^" ]+)[^"]*" as (n\d+)/gu)].map(([, id = "", name = ""]) => [name, id]));

  return [...diagram.matchAll(/^ {2}(\S+) --> (\S+)/gmu)].map(([, from = "", to = ""]) => `${ids.get(from) ?? from} ${ids.get(to) ?? to}`);
};

const enforced = (graph: Graph): string[] => [...graph.edges.map(({ source, target }) => `${source} ${target}`), "ask no-thanks"];

describe("Theodosia 44: diagram and graph agree with the enforced edges", () => {
  test("in the diagram", () => {
    expect(arrows(toMermaid(GRAPH.graph)).toSorted()).toEqual(
      [...enforced(GRAPH.graph), "[*] first", "sub [*]", "no-thanks [*]"].toSorted(),
    );
  });

  test("in the graph, with condition texts", () => {
    const { transitions } = toGraphResource(GRAPH);

    expect(transitions.map(({ from, to }) => `${from} ${to}`)).toEqual(enforced(GRAPH.graph));
    expect(transitions[0]).toEqual({ from: "first", to: "ask", kind: "normal", condition: 'memory.out == "a;b#\\"c"' });
  });

  test("and graph text never ends a diagram line", () => {
    const lines = toMermaid(GRAPH.graph).split("\n");

    expect(lines).toContain('  state "first (The #34;first#34; step)" as n0');
    expect(lines).toContain("  n0 --> n1 : memory.out == #34;a#59;b#35;\\#34;c#34;");
  });
});

describe("the graph resource", () => {
  const action = (name: string, published: PublishedGraph = GRAPH) => toGraphResource(published).actions.find((one) => one.name === name);

  test("has every action with its inputs, and no map worker", () => {
    expect(toGraphResource(GRAPH).actions.map(({ name }) => name)).toEqual(["first", "ask", "pay", "no-thanks", "sub", "each"]);
    expect(action("first")).toMatchObject({
      description: "Begins",
      required_inputs: ["size"],
      optional_inputs: ["row", "flag", "form", "ref"],
    });
  });

  test("names no hidden memory", () => {
    expect(action("first")?.reads).toEqual(["topic"]);
    expect(Object.keys(toGraphResource(GRAPH).state_schema["properties"] ?? {})).toEqual(["topic", "out", "form"]);
    expect(JSON.stringify(toGraphResource(GRAPH))).not.toContain("hidden");
  });

  test("tags effects at any depth", () => {
    expect([action("first")?.tags, action("pay")?.tags, action("sub")?.tags]).toEqual([
      [],
      ["write", "dangerous"],
      ["irreversible", "dangerous"],
    ]);
  });
});
