/** Of every attacked graph. */
import { agentSchema, graphSchema, pinnedToolSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import type { JsonObject } from "@/lib/json";

export type Scenario = {
  readonly name: string;
  readonly published: PublishedGraph;
  readonly approvals: number;
  readonly ends?: "completed" | "failed";
  readonly inputs?: JsonObject;
};

export type Nodes = GraphInput["nodes"];
export type Edges = GraphInput["edges"];

const closed = (properties: Record<string, object>) => ({ type: "object", properties, additionalProperties: false });
const PLAN = closed({ plan: { type: "string", maxLength: 20 }, credit: { type: "integer" } });

const MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: { type: "string", maxLength: 40 } },
  { key: "mail", schema: { type: "object", additionalProperties: true }, max_bytes: 2_000 },
  { key: "request", schema: PLAN },
  { key: "checked", schema: PLAN, min_integrity: "reviewed" },
  { key: "note", schema: {}, max_bytes: 200, max_depth: 4 },
  { key: "salary", schema: { type: "integer" }, classification: "secret" },
  { key: "pay", schema: { type: "integer" }, classification: "secret" },
  { key: "profile", schema: closed({ name: { type: "string" }, ssn: { type: "string" } }), classification: "pii" },
  { key: "is_admin", schema: { type: "boolean" }, protected: true },
  { key: "verdict", schema: { type: "string" }, min_integrity: "trusted" },
  { key: "items", schema: { type: "array", maxItems: 4, items: { type: "string", maxLength: 40 } } },
  { key: "list", schema: { type: "array" }, max_bytes: 4_000 },
  { key: "answer", schema: {}, max_bytes: 1_000 },
  { key: "result", schema: {} },
];

const pin = (server: string, tool: string, digit: string, more: object) =>
  pinnedToolSchema.parse({ server, tool, definition_digest: digit.repeat(64), description: "", idempotent: false, ...more });

const QUERY = closed({ q: { type: "string" } });
const OURS = { outward: false, clearance: "pii" };

const TOOLS = [
  pin("docs", "read", "a", { ...OURS, input_schema: closed({ topic: { type: "string" } }), effect: "read", idempotent: true }),
  pin("crm", "update", "b", { ...OURS, input_schema: { ...closed({ plan: { type: "string" } }), required: ["plan"] }, effect: "write" }),
  pin("crm", "restore", "1", {
    ...OURS,
    input_schema: { ...closed({ plan: { type: "string" }, ticket: { type: "string" } }), required: ["plan"] },
    effect: "write",
  }),
  pin("crm", "erase", "c", { ...OURS, input_schema: { type: "object" }, effect: "irreversible" }),
  pin("hr", "salaries", "e", { input_schema: { type: "object" }, effect: "read", output: "secret", clearance: "secret", outward: false }),
  pin("mail", "send", "d", { input_schema: { type: "object" }, effect: "write" }),
  pin("web", "search", "f", { input_schema: QUERY, effect: "read", clearance: "secret" }),
  pin("web", "open", "0", { input_schema: QUERY, effect: "read", clearance: "internal" }),
];

const agent = (id: string, read: readonly string[] | undefined, write: readonly string[] | undefined, tools: readonly string[]) =>
  agentSchema.parse({
    id,
    name: id,
    permissions: { ...(read ? { read_keys: read } : {}), ...(write ? { write_keys: write } : {}) },
    tools: tools.map((name) => ({ server: name.split(".")[0], tool: name.split(".")[1] })),
  });

const AGENTS = [
  agent(
    "parser",
    ["mail", "topic", "profile.name"],
    ["request", "note", "is_admin", "verdict"],
    ["crm.update", "crm.erase", "docs.read", "web.search"],
  ),
  {
    ...agent("keeper", ["topic"], ["answer", "note"], []),
    tools: [
      { server: "crm", tool: "update", trusted: true as const },
      { server: "crm", tool: "erase", trusted: true as const },
      { server: "docs", tool: "read" },
    ],
  },
  // Caps its reads only.
  agent("helper", ["mail", "topic", "request", "list"], undefined, ["docs.read", "crm.update", "hr.salaries"]),
  // Whatever its agent has.
  agent("judge", undefined, undefined, ["crm.erase", "web.open"]),
  agent("payroll", ["pay", "mail"], ["answer", "note", "verdict"], ["web.open", "web.search", "hr.salaries", "mail.send"]),
];

const INPUTS = { type: "object", properties: { topic: {}, mail: {}, salary: {}, profile: {}, items: {}, pay: {} }, required: ["topic"] };

type Graph = Partial<GraphInput> & Pick<GraphInput, "nodes" | "edges" | "start_node" | "end_nodes">;

const graphOf = (graph: Graph) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: "target",
    name: "Target",
    inputs: INPUTS,
    memory: MEMORY,
    max_iterations: 14,
    max_execution_time_ms: 10 * 86_400_000,
    max_token_budget: 1_500,
    budget_usd: 0.0015,
    ...graph,
  });

export const findChild = (digit: string, graph: Graph): PublishedGraph["subgraphs"][number] => ({
  version: digit.repeat(64),
  graph: graphOf(graph),
  agents: AGENTS,
  tools: TOOLS,
});

export const publish = (graph: Graph, subgraphs: PublishedGraph["subgraphs"] = []): PublishedGraph => ({
  graph: graphOf(graph),
  agents: AGENTS,
  tools: TOOLS,
  subgraphs,
});

const fetch = {
  id: "fetch",
  kind: "tool",
  read_keys: ["topic"],
  write_keys: ["mail"],
  effect: "read",
  failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 100 },
  config: { server: "docs", tool: "read", arguments: { topic: { from: "topic" } } },
} as const satisfies Nodes[number];

const write = {
  id: "write",
  kind: "tool",
  read_keys: ["request"],
  write_keys: ["result"],
  effect: "write",
  config: { server: "crm", tool: "update", arguments: { plan: { from: "request.plan" } } },
} as const satisfies Nodes[number];

const ask = {
  id: "ask",
  kind: "approval",
  read_keys: ["request"],
  config: {
    prompt: "Write it?",
    review_keys: ["request", "salary"],
    for_node: "write",
    rejection_node: "decline",
    escalation: { after_ms: 60_000, to: "admins" },
  },
} as const satisfies Nodes[number];

const last = (id: string) =>
  ({
    id,
    kind: "transform",
    write_keys: ["result", "verdict"],
    config: { set: [{ path: "result", value: `"${id}"` }] },
  }) as const satisfies Nodes[number];

const parse = {
  id: "parse",
  kind: "agent",
  // Above the agent's ceiling.
  read_keys: ["mail", "topic", "profile", "salary"],
  write_keys: ["request", "note", "is_admin", "verdict", "result"],
  config: { agent_id: "parser", write_to: "request" },
} as const satisfies Nodes[number];

export const PARTS = { fetch, parse, ask, write, decline: last("decline"), rescue: last("rescue") };
