import { agentSchema, graphSchema, pinnedToolSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";

const closed = (properties: Record<string, object>) => ({ type: "object", properties, additionalProperties: false });

const MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: { type: "string", maxLength: 40 } },
  { key: "mail", schema: { type: "object", additionalProperties: true } },
  { key: "request", schema: closed({ plan: { type: "string" }, credit: { type: "integer" } }) },
  { key: "note", schema: {}, max_bytes: 200, max_depth: 4 },
  { key: "salary", schema: { type: "integer" }, classification: "secret" },
  { key: "is_admin", schema: { type: "boolean" }, protected: true },
  { key: "verdict", schema: { type: "string" }, min_integrity: "trusted" },
  { key: "result", schema: {} },
];

const NODES: GraphInput["nodes"] = [
  {
    id: "fetch",
    kind: "tool",
    read_keys: ["topic"],
    write_keys: ["mail"],
    effect: "read",
    failure_policy: { attempts: 3, backoff: "fixed", backoff_ms: 100 },
    config: { server: "docs", tool: "read", arguments: { topic: { from: "topic" } } },
  },
  {
    id: "parse",
    kind: "agent",
    read_keys: ["mail"],
    write_keys: ["request", "note", "is_admin", "verdict"],
    config: { agent_id: "parser", write_to: "request" },
  },
  { id: "triage", kind: "router", read_keys: ["request", "topic"], config: {} },
  {
    id: "ask",
    kind: "approval",
    read_keys: ["request"],
    config: { prompt: "Write it?", review_keys: ["request", "salary"], for_node: "write", rejection_node: "decline" },
  },
  {
    id: "write",
    kind: "tool",
    read_keys: ["request"],
    write_keys: ["result"],
    effect: "write",
    config: { server: "crm", tool: "update", arguments: { plan: { from: "request.plan" } } },
  },
  { id: "decline", kind: "transform", write_keys: ["result"], config: { set: [{ path: "result", value: '"declined"' }] } },
  { id: "rescue", kind: "transform", write_keys: ["result"], config: { set: [{ path: "result", value: '"rescued"' }] } },
];

const EDGES: GraphInput["edges"] = [
  { id: "fetched", source: "fetch", target: "parse" },
  { id: "fetch_failed", source: "fetch", target: "rescue", kind: "error" },
  { id: "fetch_late", source: "fetch", target: "decline", kind: "timeout" },
  { id: "parsed", source: "parse", target: "triage" },
  { id: "free", source: "triage", target: "decline", condition: 'memory.request.plan == "free"' },
  { id: "other", source: "triage", target: "ask", kind: "default" },
  { id: "asked", source: "ask", target: "write" },
];

export const SMALL_GRAPH: GraphInput = {
  format: "countersign/graph/v1",
  id: "small",
  name: "Small",
  inputs: { type: "object", properties: { topic: {}, salary: { type: "integer" }, is_admin: {}, unknown_key: {} }, required: ["topic"] },
  memory: MEMORY,
  nodes: NODES,
  edges: EDGES,
  start_node: "fetch",
  end_nodes: ["write", "decline", "rescue"],
};

const TOOLS = [
  pinnedToolSchema.parse({
    server: "docs",
    tool: "read",
    definition_digest: "a".repeat(64),
    description: "",
    input_schema: closed({ topic: { type: "string" } }),
    effect: "read",
    idempotent: true,
    output: "internal",
    outward: false,
  }),
  pinnedToolSchema.parse({
    server: "crm",
    tool: "update",
    definition_digest: "b".repeat(64),
    description: "",
    input_schema: { type: "object", properties: { plan: { type: "string" } }, required: ["plan"] },
    effect: "write",
    idempotent: false,
    output: "internal",
  }),
  pinnedToolSchema.parse({
    server: "crm",
    tool: "erase",
    definition_digest: "c".repeat(64),
    description: "",
    input_schema: { type: "object" },
    effect: "irreversible",
    idempotent: false,
    output: "internal",
  }),
];

type Overrides = Partial<GraphInput> & { readonly agentTools?: readonly { server: string; tool: string }[] };

export const publishWith = ({ agentTools = [{ server: "crm", tool: "update" }], ...overrides }: Overrides = {}): PublishedGraph => ({
  graph: graphSchema.parse({ ...SMALL_GRAPH, ...overrides }),
  agents: [agentSchema.parse({ id: "parser", name: "Parser", tools: [...agentTools] })],
  tools: TOOLS,
  subgraphs: [],
});

export const nodesWith = (id: string, change: Record<string, unknown>): GraphInput["nodes"] =>
  NODES.map((node) => (node.id === id ? { ...node, ...change } : node));

export const edgesWith = (
  id: string,
  change: Partial<GraphInput["edges"] extends (infer E)[] | undefined ? E : never>,
): GraphInput["edges"] => (EDGES ?? []).map((edge) => (edge.id === id ? { ...edge, ...change } : edge));
