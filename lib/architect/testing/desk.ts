import { agentSchema, graphSchema, pinnedToolSchema, type Graph, type GraphInput } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

const tool = (name: string, effect: string, more: object = {}) =>
  pinnedToolSchema.parse({
    server: "shop",
    tool: name,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: { type: "object", properties: { about: {}, amount: {} } },
    effect,
    idempotent: false,
    outward: false,
    ...more,
  });

export const DESK_CONTEXT: ValidationContext = {
  agents: [
    agentSchema.parse({ id: "writer", name: "Writer" }),
    agentSchema.parse({ id: "clerk", name: "Clerk", tools: [{ server: "shop", tool: "refund" }] }),
  ],
  tools: [tool("look", "read"), tool("refund", "irreversible"), tool("note", "write")],
  versions: [],
};

const DESK: GraphInput = {
  format: "countersign/graph/v1",
  id: "desk",
  name: "Desk",
  inputs: { type: "object", properties: { request: { type: "string" } } },
  memory: [
    { key: "request", schema: { type: "string" } },
    { key: "draft", schema: { type: "string" }, classification: "pii" },
    { key: "checked", schema: { type: "string" }, min_integrity: "reviewed", protected: true },
    { key: "done", schema: {} },
  ],
  nodes: [
    { id: "write", kind: "agent", read_keys: ["request"], write_keys: ["draft"], config: { agent_id: "writer" } },
    {
      id: "ask",
      kind: "approval",
      read_keys: ["draft"],
      write_keys: ["checked"],
      config: {
        prompt: "Refund?",
        for_node: "refund",
        quorum: 2,
        review_keys: ["draft"],
        promote: [{ from: "draft", to: "checked" }],
        rejection_node: "stop",
      },
    },
    {
      id: "refund",
      kind: "tool",
      read_keys: ["checked"],
      write_keys: ["done"],
      effect: "irreversible",
      approval: "always",
      config: { server: "shop", tool: "refund", arguments: { about: { from: "checked" }, amount: { value: 5 } } },
    },
    { id: "stop", kind: "router", config: {} },
  ],
  edges: [
    { id: "e1", source: "write", target: "ask" },
    { id: "e2", source: "ask", target: "refund" },
  ],
  start_node: "write",
  end_nodes: ["refund", "stop"],
  strict_taint: true,
  max_iterations: 20,
  max_token_budget: 10_000,
};

export const buildDesk = (change: (graph: Graph) => Graph = (graph) => graph): Graph => change(graphSchema.parse(DESK));

/** Replaces one node. */
export const withNode =
  (id: string, change: object) =>
  (graph: Graph): Graph =>
    graphSchema.parse({ ...graph, nodes: graph.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)) });

/** Replaces part of one node's configuration. */
export const withConfig =
  (id: string, change: object) =>
  (graph: Graph): Graph =>
    graphSchema.parse({
      ...graph,
      nodes: graph.nodes.map((node) => (node.id === id ? { ...node, config: { ...node.config, ...change } } : node)),
    });

export const withKey =
  (key: string, change: object) =>
  (graph: Graph): Graph =>
    graphSchema.parse({ ...graph, memory: graph.memory.map((one) => (one.key === key ? { ...one, ...change } : one)) });
