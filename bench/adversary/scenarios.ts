/** The graphs under attack, with what an outsider knows of each: what is granted, valid and benign, said a second time by hand. */
import { agentSchema, graphSchema, pinnedToolSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { isJsonObject, type Json } from "@/lib/json";

/** Planted where no executor may read. They are in no answer and in no proposal, so that any sight of one is a leak. */
export const CANARIES = { salary: 4_815_162_342, ssn: "CANARY-ssn-7f3a9c" };

export type Scenario = {
  readonly name: string;
  readonly published: PublishedGraph;
  /** Human decisions that a benign run takes. */
  readonly approvals: number;
};

const closed = (properties: Record<string, object>) => ({ type: "object", properties, additionalProperties: false });

const MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: { type: "string", maxLength: 40 } },
  { key: "mail", schema: { type: "object", additionalProperties: true }, max_bytes: 2_000 },
  { key: "request", schema: closed({ plan: { type: "string", maxLength: 20 }, credit: { type: "integer" } }) },
  { key: "note", schema: {}, max_bytes: 200, max_depth: 4 },
  { key: "salary", schema: { type: "integer" }, classification: "secret" },
  { key: "profile", schema: closed({ name: { type: "string" }, ssn: { type: "string" } }), classification: "pii" },
  { key: "is_admin", schema: { type: "boolean" }, protected: true },
  { key: "verdict", schema: { type: "string" }, min_integrity: "trusted" },
  { key: "result", schema: {} },
];

const isText = (value: Json, most: number) => typeof value === "string" && value.length <= most;
const hasOnly = (value: Json, names: Readonly<Record<string, (member: Json) => boolean>>) =>
  isJsonObject(value) && Object.entries(value).every(([name, member]) => Object.hasOwn(names, name) && names[name]?.(member));

/** What each key may hold, without any JSON Schema. */
export const VALID: Readonly<Record<string, (value: Json) => boolean>> = {
  topic: (value) => isText(value, 40),
  mail: (value) => isJsonObject(value),
  request: (value) => hasOnly(value, { plan: (plan) => isText(plan, 20), credit: Number.isInteger }),
  note: () => true,
  salary: Number.isInteger,
  profile: (value) => hasOnly(value, { name: (name) => typeof name === "string", ssn: (ssn) => typeof ssn === "string" }),
  is_admin: (value) => typeof value === "boolean",
  verdict: (value) => typeof value === "string",
  result: () => true,
};

export const VALID_ARGUMENTS: Readonly<Record<string, (value: Json) => boolean>> = {
  "docs.read": (value) => hasOnly(value, { topic: (topic) => typeof topic === "string" }),
  "crm.update": (value) => isJsonObject(value) && typeof value["plan"] === "string" && hasOnly(value, { plan: () => true }),
  "crm.erase": (value) => isJsonObject(value),
  "hr.salaries": (value) => isJsonObject(value),
  "mail.send": (value) => isJsonObject(value),
};

/** What an honest reviewer says yes to: by argument or path, as the view names them. */
export const isBenign = (path: string, value: Json): boolean => {
  if (path === "crm.update.plan" || path === "request.plan") return value === "team";
  if (path === "docs.read.topic") return value === "plans";
  if (path === "is_admin") return value === false;
  if (path === "note") return value === "fine";

  return path === "request" && isJsonObject(value) && value["plan"] === "team" && value["credit"] === undefined;
};

const pin = (server: string, tool: string, digit: string, more: object) =>
  pinnedToolSchema.parse({ server, tool, definition_digest: digit.repeat(64), description: "", idempotent: false, ...more });

const TOOLS = [
  pin("docs", "read", "a", { input_schema: closed({ topic: { type: "string" } }), effect: "read", idempotent: true }),
  pin("crm", "update", "b", { input_schema: { ...closed({ plan: { type: "string" } }), required: ["plan"] }, effect: "write" }),
  pin("crm", "erase", "c", { input_schema: { type: "object" }, effect: "irreversible" }),
  pin("hr", "salaries", "e", { input_schema: { type: "object" }, effect: "read" }),
  pin("mail", "send", "d", { input_schema: { type: "object" }, effect: "write" }),
];

const AGENT = agentSchema.parse({
  id: "parser",
  name: "Parser",
  permissions: { read_keys: ["mail", "topic", "profile.name"], write_keys: ["request", "note", "is_admin", "verdict"] },
  tools: [
    { server: "crm", tool: "update" },
    { server: "crm", tool: "erase" },
    { server: "docs", tool: "read" },
  ],
});

type Nodes = GraphInput["nodes"];
type Change = Readonly<Record<string, Record<string, unknown>>>;

const NODES: Nodes = [
  {
    id: "fetch",
    kind: "tool",
    read_keys: ["topic"],
    write_keys: ["mail"],
    effect: "read",
    failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 100 },
    config: { server: "docs", tool: "read", arguments: { topic: { from: "topic" } } },
  },
  {
    id: "parse",
    kind: "agent",
    // More than the agent's ceiling allows: the intersection is what counts.
    read_keys: ["mail", "topic", "profile", "salary"],
    write_keys: ["request", "note", "is_admin", "verdict", "result"],
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
  { id: "decline", kind: "transform", write_keys: ["result", "verdict"], config: { set: [{ path: "result", value: '"declined"' }] } },
  { id: "rescue", kind: "transform", write_keys: ["result", "verdict"], config: { set: [{ path: "result", value: '"rescued"' }] } },
];

const EDGES: NonNullable<GraphInput["edges"]> = [
  { id: "fetched", source: "fetch", target: "parse" },
  { id: "fetch_failed", source: "fetch", target: "rescue", kind: "error" },
  { id: "parsed", source: "parse", target: "triage" },
  { id: "parse_failed", source: "parse", target: "rescue", kind: "error" },
  { id: "again", source: "triage", target: "parse", condition: 'memory.request.plan == "again"' },
  { id: "free", source: "triage", target: "decline", condition: 'memory.request.plan == "free"' },
  { id: "other", source: "triage", target: "ask", kind: "default" },
  { id: "asked", source: "ask", target: "write" },
  { id: "write_late", source: "write", target: "rescue", kind: "timeout" },
];

const STRICT_EDGES: NonNullable<GraphInput["edges"]> = [
  ...EDGES.filter((edge) => edge.id !== "parsed"),
  { id: "parsed", source: "parse", target: "triage", condition: 'memory.request.plan != "stop"' },
  { id: "stopped", source: "parse", target: "decline", kind: "default" },
];

const changed = (change: Change): Nodes =>
  NODES.map((node) => {
    const own = change[node.id] ?? {};

    return { ...node, ...own, config: { ...node.config, ...(own["config"] as object | undefined) } } as Nodes[number];
  });

const publish = (overrides: Partial<GraphInput>): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "target",
    name: "Target",
    inputs: { type: "object", properties: { topic: {}, salary: {}, profile: {} }, required: ["topic"] },
    memory: MEMORY,
    nodes: NODES,
    edges: EDGES,
    start_node: "fetch",
    end_nodes: ["write", "decline", "rescue"],
    max_iterations: 12,
    max_execution_time_ms: 10 * 86_400_000,
    max_token_budget: 1_000,
    budget_usd: 0.001,
    ...overrides,
  }),
  agents: [AGENT],
  tools: TOOLS,
  subgraphs: [],
});

const onlyTopic = { read_keys: ["topic"] };

export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [
  { name: "desk", published: publish({}), approvals: 1 },
  { name: "strict", published: publish({ strict_taint: true, edges: STRICT_EDGES }), approvals: 3 },
  {
    name: "two people",
    published: publish({
      nodes: changed({ parse: { approval: "always" }, ask: { config: { quorum: 2 } }, write: { effect: "irreversible" } }),
      max_iterations: 5,
      max_execution_time_ms: 60_000,
    }),
    approvals: 3,
  },
  {
    name: "trusted data",
    published: publish({ start_node: "parse", nodes: changed({ parse: onlyTopic }), max_iterations: 4 }),
    approvals: 1,
  },
  {
    name: "always ask",
    published: publish({
      start_node: "parse",
      nodes: changed({ parse: onlyTopic, ask: { config: { for_node: undefined } }, write: { approval: "always" } }),
    }),
    approvals: 2,
  },
];
