import { describe, expect, test } from "vitest";
import { agentSchema, graphSchema, pinnedToolSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import type { PublishedVersion, ValidationContext } from "@/lib/graph/facts/facts";
import { listNamedVersions, buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";

type Nodes = GraphInput["nodes"];

const tool = (name: string) =>
  pinnedToolSchema.parse({
    server: "crm",
    tool: name,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: {},
    effect: "read",
    idempotent: true,
  });

const agent = (id: string, tools: readonly string[] = []) =>
  agentSchema.parse({ id, name: id, tools: tools.map((name) => ({ server: "crm", tool: name })) });

const registry: ValidationContext = {
  agents: [agent("writer", ["find"]), agent("judge"), agent("unused", ["wipe"])],
  tools: [tool("undo"), tool("wipe"), tool("find"), tool("write")],
  versions: [],
};

const graphOf = (id: string, nodes: Nodes) =>
  graphSchema.parse({ format: "countersign/graph/v1", id, name: id, nodes, edges: [], start_node: "first", end_nodes: [] });

const step = (graph: string, version?: string): Nodes[number] => ({
  id: `to-${graph}`,
  kind: "subgraph",
  config: { graph_id: graph, ...(version === undefined ? {} : { version }) },
});

const publish = (id: string, nodes: Nodes, versions: readonly PublishedVersion[] = []): PublishedVersion => {
  const published = buildPublishedGraph(graphOf(id, nodes), { ...registry, versions });

  return { version: computeVersionHash(published), published };
};

const leaf = (id: string, marker = "") => publish(id, [{ id: "first", title: marker, kind: "router", config: {} }]);

const namesOf = ({ subgraphs }: PublishedGraph) => subgraphs.map(({ graph }) => graph.id).toSorted();
const nodeVersion = ({ graph }: PublishedGraph, id: string) => {
  const node = graph.nodes.find((one) => one.id === id);

  return node?.kind === "subgraph" ? node.config.version : undefined;
};

describe("what a version takes from the registry", () => {
  const nodes: Nodes = [
    { id: "first", kind: "map", config: { worker_node: "worker", items: { value: [] }, synthesizer: { agent_id: "judge" } } },
    { id: "worker", kind: "agent", config: { agent_id: "writer" } },
    { id: "write", kind: "tool", config: { server: "crm", tool: "write" }, compensation: { server: "crm", tool: "undo" } },
  ];
  const { published } = publish("main", nodes);

  test("is every agent that may speak, whatever the kind of the node", () => {
    expect(published.agents.map(({ id }) => id)).toEqual(["judge", "writer"]);
  });

  test("is every tool of nodes, of undoing and of those agents, and no other", () => {
    expect(published.tools.map((pinned) => pinned.tool)).toEqual(["find", "undo", "write"]);
  });

  test("does not depend on the order of the registry", () => {
    const reversed = { agents: registry.agents.toReversed(), tools: registry.tools.toReversed(), versions: [] };
    expect(computeVersionHash(buildPublishedGraph(graphOf("main", nodes), reversed))).toBe(computeVersionHash(published));
  });
});

describe("a subgraph", () => {
  test("without a version is the first of its graph, which is written into the node", () => {
    const [newer, older] = [leaf("part", "newer"), leaf("part", "older")];
    const { published } = publish("main", [step("part")], [leaf("other"), newer, older]);
    expect(nodeVersion(published, "to-part")).toBe(newer.version);
    expect(published.subgraphs.map(({ version }) => version)).toEqual([newer.version]);
  });

  test("with a version is that one, also when there is a newer one", () => {
    const [newer, older] = [leaf("part", "newer"), leaf("part", "older")];
    const { published } = publish("main", [step("part", older.version)], [newer, older]);
    expect(nodeVersion(published, "to-part")).toBe(older.version);
    expect(published.subgraphs.map(({ version }) => version)).toEqual([older.version]);
  });

  test("whose version is of another graph is left as it is, and nothing comes along", () => {
    const other = leaf("other");
    const { published } = publish("main", [step("part", other.version), step("nowhere")], [other]);
    expect(nodeVersion(published, "to-part")).toBe(other.version);
    expect(nodeVersion(published, "to-nowhere")).toBeUndefined();
    expect(published.subgraphs).toEqual([]);
  });

  test("brings its own agents and tools as they were frozen with it", () => {
    const part = publish("part", [{ id: "first", kind: "agent", config: { agent_id: "writer" } }]);
    const changed = { ...registry, agents: [agent("writer", ["wipe"])], versions: [part] };
    const published = buildPublishedGraph(graphOf("main", [step("part")]), changed);
    expect(published.agents).toEqual([]);
    expect(published.subgraphs[0]).toMatchObject({ agents: part.published.agents, tools: part.published.tools });
  });
});

describe("graphs in graphs", () => {
  const deepest = leaf("deepest");
  const middle = publish("middle", [step("deepest")], [deepest]);
  const upper = publish("upper", [step("middle")], [middle]);

  test("come along to any depth, also those that the registry no longer lists", () => {
    const { published } = publish("main", [step("upper")], [upper]);
    expect(namesOf(published)).toEqual(["deepest", "middle", "upper"]);
  });

  test("that are used twice are included once", () => {
    const left = publish("left", [step("deepest")], [deepest]);
    const right = publish("right", [step("deepest")], [deepest]);
    const { published } = publish("main", [step("left"), step("right"), step("deepest")], [right, deepest, left]);
    expect(namesOf(published)).toEqual(["deepest", "left", "right"]);
  });

  test("are sorted, so that the order of nodes' versions in the registry changes nothing", () => {
    const versions = [upper, middle, deepest];
    const { published, version } = publish("main", [step("upper"), step("deepest")], versions);
    const names = published.subgraphs.map((one) => one.version);
    expect(names).toEqual(names.toSorted());
    expect(publish("main", [step("upper"), step("deepest")], versions.toReversed()).version).toBe(version);
  });

  test("published again with their versions written down are the same version", () => {
    const first = publish("main", [step("upper")], [upper]);
    const again = buildPublishedGraph(first.published.graph, { ...registry, versions: [upper] });
    expect(computeVersionHash(again)).toBe(first.version);
    expect(listNamedVersions(first.published.graph)).toEqual([upper.version]);
  });

  test("of an older version of the same graph do not make a circle", () => {
    const old = leaf("main", "old");
    const between = publish("between", [step("main")], [old]);
    const { published } = publish("main", [step("between")], [between]);
    expect(namesOf(published)).toEqual(["between", "main"]);
  });
});
