import { expect, test } from "vitest";
import { agentSchema, nodeSchema, pinnedToolSchema, type Graph, type GraphNode, type NodeOf, type PinnedTool } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { addAfter } from "@/lib/graph/edit-edges";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { callsTool } from "@/lib/graph/kind-of";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import { validateGraph } from "@/lib/graph/validate";
import { adoptTool, UNASSIGNED } from "./wiring";

const tool = (name: string, labels: Partial<PinnedTool>, properties: object, required: readonly string[]): PinnedTool =>
  pinnedToolSchema.parse({
    server: "desk",
    tool: name,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: { type: "object", properties, required, additionalProperties: false },
    effect: "read",
    idempotent: false,
    outward: false,
    ...labels,
  });

const text = { type: "string" };
const READ = tool("read_mail", {}, { file: text }, ["file"]);
const WRITE = tool(
  "update_plan",
  { effect: "write" },
  { customer_id: { type: "string", pattern: "^c[0-9]+$" }, plan: { enum: ["a", "b"] }, unit: { const: "month" }, reason: text },
  ["customer_id", "plan", "unit"],
);
const CONTEXT: ValidationContext = { agents: [agentSchema.parse({ id: "mine", name: "Mine" })], tools: [READ, WRITE], versions: [] };

const toolNode = (id: string): GraphNode =>
  nodeSchema.parse({ id, kind: "tool", effect: "read", config: { server: UNASSIGNED, tool: UNASSIGNED, arguments: {} } });

const choose = (graph: Graph, id: string, chosen: PinnedTool): Graph => {
  const node = graph.nodes.find((each): each is NodeOf<"tool"> => each.id === id && callsTool(each));

  return node ? adoptTool(graph, node, chosen).reduce(applyEdit, graph) : graph;
};

const after = (graph: Graph, source: string, node: GraphNode): Graph => addAfter(graph, source, node).reduce(applyEdit, graph);

const built = (): Graph => {
  const mail = choose(applyEdit(createEmptyGraph("Refunds"), { op: "add_node", node: toolNode("tool") }), "tool", READ);
  const agent = after(mail, "tool", nodeSchema.parse({ id: "agent", kind: "agent", config: { agent_id: "mine" } }));
  const gate = after(agent, "agent", nodeSchema.parse({ id: "approval", kind: "approval", config: { prompt: "Go on?" } }));

  return choose(after(gate, "approval", toolNode("tool_2")), "tool_2", WRITE);
};

const nodeOf = (graph: Graph, id: string) => graph.nodes.find((node) => node.id === id);
const keyOf = (graph: Graph, name: string) => graph.memory.find(({ key }) => key === name);

test("mail, agent, approval and write are a publishable graph without another edit", () => {
  const graph = built();
  expect(validateGraph(graph, CONTEXT).filter(({ severity }) => severity === "error")).toEqual([]);
  expect(graph.edges.map(({ source, target }) => [source, target])).toEqual([
    ["tool", "agent"],
    ["agent", "approval"],
    ["approval", "tool_2"],
  ]);
  expect([graph.start_node, graph.end_nodes]).toEqual(["tool", ["tool_2"]]);
});

test("a required argument that nothing before it can give is asked for at the start", () => {
  const graph = built();
  expect(graph.inputs).toMatchObject({ properties: { file: text }, required: ["file"] });
  expect(keyOf(graph, "file")?.schema).toEqual(text);
  expect(nodeOf(graph, "tool")).toMatchObject({
    title: "Read mail",
    read_keys: ["file"],
    write_keys: ["read_mail"],
    config: { arguments: { file: { from: "file" } } },
  });
});

test("an agent reads the nearest result and answers in the form that the change after it needs", () => {
  const graph = built();
  expect(nodeOf(graph, "agent")).toMatchObject({ read_keys: ["read_mail"], write_keys: ["answer"], config: { answer: "json" } });
  expect(keyOf(graph, "answer")?.schema).toEqual({
    type: "object",
    properties: { customer_id: { type: "string", pattern: "^c[0-9]+$" }, plan: { enum: ["a", "b"] } },
    required: ["customer_id", "plan"],
  });
  expect(nodeOf(graph, "tool_2")).toMatchObject({
    effect: "write",
    read_keys: ["answer.customer_id", "answer.plan"],
    config: { arguments: { customer_id: { from: "answer.customer_id" }, plan: { from: "answer.plan" }, unit: { value: "month" } } },
  });
});

test("the approval before a change approves its exact arguments, and one before a read does not", () => {
  expect(nodeOf(built(), "approval")).toMatchObject({ config: { for_node: "tool_2" } });
  const graph = built();
  const gate = after(graph, "tool_2", nodeSchema.parse({ id: "look", kind: "approval", config: { prompt: "Go on?" } }));
  const read = choose(after(gate, "look", toolNode("tool_3")), "tool_3", READ);
  expect(nodeOf(read, "look")?.config).not.toHaveProperty("for_node");
});

test("another tool keeps the arguments that it also has, and a key of the right name is used as it is", () => {
  const graph = built();
  const other = choose(
    graph,
    "tool_2",
    tool("move", { effect: "write" }, { customer_id: text, file: text, to: text }, ["customer_id", "to"]),
  );
  expect(nodeOf(other, "tool_2")).toMatchObject({
    config: {
      tool: "move",
      arguments: { customer_id: { from: "answer.customer_id" }, to: { from: "answer.to" }, file: { from: "file" } },
    },
  });
  expect(Object.keys((keyOf(other, "answer")?.schema["properties"] ?? {}) as object)).toEqual(["to", "customer_id", "plan"]);
  expect(other.memory.filter(({ key }) => key.startsWith("update_plan"))).toHaveLength(1);
});

test("the worker of a map keeps its arguments, and a part with references is open", () => {
  const map = nodeSchema.parse({ id: "each", kind: "map", config: { worker_node: "tool", items: { value: [] } } });
  const graph = applyEdit(applyEdit(createEmptyGraph("Map"), { op: "add_node", node: toolNode("tool") }), { op: "add_node", node: map });
  expect(choose(graph, "tool", READ)).toMatchObject({ memory: [], nodes: [{ config: { tool: "read_mail", arguments: {} } }, {}] });
  const ref = tool("ref", {}, { at: { $ref: "#/$defs/at" } }, ["at"]);
  const asks = choose(applyEdit(createEmptyGraph("Ref"), { op: "add_node", node: toolNode("tool") }), "tool", ref);
  expect(keyOf(asks, "at")?.schema).toEqual({});
});

test("the end stays where an end node is already continued, or another node ends the run", () => {
  const graph = built();
  const router = (id: string) => nodeSchema.parse({ id, kind: "router", config: {} });
  expect(after(graph, "tool", router("aside")).end_nodes).toEqual(["tool_2"]);
  expect(after(graph, "tool_2", router("last")).end_nodes).toEqual(["last"]);
});
