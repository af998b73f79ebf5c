import { describe, expect, it } from "vitest";
import { needsSecondPerson } from "@/lib/architect/second-person";
import { computeIntegrities } from "@/lib/graph/analyse";
import { graphSchema, pinnedToolSchema, type Graph, type PublishedGraph } from "@/lib/graph/document";
import { collectFacts } from "@/lib/graph/facts/facts";
import { validateGraph } from "@/lib/graph/validate";
import { listServers } from "@/lib/graph/variables";
import { mapEvent } from "./mapping";
import { triggerSchema, type Trigger } from "./trigger";

const shelf = (change: object = {}): Trigger =>
  triggerSchema.parse({
    id: "shelf",
    kind: "mcp_resource",
    server: "shop",
    uri: "orders://latest",
    inputs: { order: "event.text" },
    ...change,
  });

const graphWith = (triggers?: readonly Trigger[]): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "orders",
    name: "Orders",
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false },
    memory: [
      { key: "order", schema: { type: "string" } },
      { key: "loud", schema: { type: "string" } },
    ],
    nodes: [
      {
        id: "shout",
        kind: "transform",
        read_keys: ["order"],
        write_keys: ["loud"],
        config: { set: [{ path: "loud", value: "memory.order" }] },
      },
      { id: "done", kind: "router", read_keys: ["loud"], config: {} },
    ],
    edges: [{ id: "on", source: "shout", target: "done" }],
    start_node: "shout",
    end_nodes: ["done"],
    ...(triggers ? { triggers } : {}),
  });

const published = (trigger: Trigger): PublishedGraph => ({ graph: graphWith([trigger]), agents: [], tools: [], subgraphs: [] });

const ACTIVE = { status: "active", callers: ["node"], switchedOff: [], unlabelled: [], unusable: [], isGone: false };

const codes = (graph: Graph, standing: object | null = {}): string[] => {
  const servers = standing === null ? [] : [{ id: "shop", host: null, credential: false, standing: { ...ACTIVE, ...standing } }];

  return validateGraph(graph, { agents: [], tools: [], versions: [], servers }).map(({ code }) => code);
};

describe("a resource of an MCP server", () => {
  it("is named by a URI that is no template, and read within bounds", () => {
    for (const change of [
      { uri: "orders://{id}" },
      { uri: "latest" },
      { uri: "orders://a b" },
      { uri: `orders://${"x".repeat(2_000)}` },
      { poll_seconds: 9 },
      { poll_seconds: 601 },
      { server: "a shop" },
    ])
      expect(() => shelf(change)).toThrow();
    expect(shelf()).toMatchObject({ poll_seconds: 60, concurrency: "queue" });
  });

  it("belongs to a registered server that is active and lets nodes call", () => {
    const graph = graphWith([shelf()]);
    expect(codes(graph)).toEqual([]);
    expect(codes(graph, null)).toEqual(["trigger_unusable"]);
    expect(codes(graph, { status: "suspended" })).toEqual(["server_inactive"]);
    expect(codes(graph, { isGone: true })).toEqual(["program_gone"]);
    expect(codes(graph, { callers: ["clerk"] })).toEqual(["caller_not_allowed"]);
  });

  it("fills inputs of the launch form by their types", () => {
    expect(codes(graphWith([shelf({ inputs: { order: "event.text.size()" } })]))).toEqual(["trigger_expression"]);
    expect(codes(graphWith([shelf({ inputs: { order: "event.body" } })]))).toEqual(["trigger_expression"]);
    const event = { uri: "orders://latest", mime_type: "text/plain", text: "A-7" };
    expect(mapEvent(shelf(), event)).toEqual({ ok: true, value: { order: "A-7" } });
    expect(mapEvent(shelf(), { uri: "orders://latest" }).ok).toBe(false);
  });

  it.each([
    ["pii", "internal", ["trigger_input"]],
    ["pii", "pii", []],
    ["secret", "pii", ["trigger_input"]],
    ["internal", "public", []],
  ] as const)("of a server that answers with %s values fills no key that is declared less: %s", (output, classification, found) => {
    const tool = {
      server: "shop",
      tool: "list",
      definition_digest: "ab".repeat(32),
      description: "",
      input_schema: {},
      effect: "read",
      idempotent: true,
      output,
    };
    const graph = graphWith([shelf()]);
    const memory = graph.memory.map((key) => ({ ...key, classification }));
    const context = { agents: [], tools: [pinnedToolSchema.parse(tool)], versions: [] };
    expect(validateGraph({ ...graph, memory }, context).map(({ code }) => code)).toEqual(found);
  });

  it("is a hostile sender in the analysis", () => {
    const integrityIn = (graph: Graph) => computeIntegrities(collectFacts(graph, { agents: [], tools: [], versions: [] })).get("shout");
    expect(integrityIn(graphWith([shelf()]))).toBe("untrusted");
    expect(integrityIn(graphWith())).toBe("trusted");
  });

  it.each([{ server: "other" }, { uri: "orders://all" }, { poll_seconds: 10 }, { environment: "staging" }])(
    "takes a second person when it changes by %j",
    (change) => {
      expect(needsSecondPerson(published(shelf(change)), published(shelf()), false)).toMatchObject({ why: "wider" });
      expect(needsSecondPerson(published(shelf()), published(shelf()), false)).toMatchObject({ needed: false });
    },
  );

  it("counts its server among those whose secrets an environment needs", () => {
    expect(listServers(published(shelf()))).toEqual(["shop"]);
  });
});
