/** Handles mail in a loop. */
import { agentSchema, graphSchema, pinnedToolSchema, type PinnedTool, type PublishedGraph } from "@/lib/graph/document";

const OPEN = { type: "object", additionalProperties: true };

const tool = (server: string, name: string, change: Partial<PinnedTool>): PinnedTool =>
  pinnedToolSchema.parse({
    server,
    tool: name,
    definition_digest: "d".repeat(64),
    description: "",
    input_schema: OPEN,
    effect: "read",
    idempotent: true,
    outward: false,
    clearance: "pii",
    output: "internal",
    ...change,
  });

/** Each has a memory path. */
export const CUSTOMERS = 24;

/** @param visits to nodes */
export const longDesk = (visits: number): PublishedGraph => ({
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "long_desk",
    name: "Long desk",
    inputs: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
    memory: [
      { key: "topic", schema: { type: "string" } },
      { key: "mail", schema: OPEN },
      { key: "request", schema: OPEN },
      { key: "customer", schema: OPEN, classification: "pii" },
      { key: "approved", schema: OPEN },
      { key: "result", schema: OPEN },
      { key: "cases", schema: OPEN, max_bytes: 1_000_000 },
      { key: "is_admin", schema: { type: "boolean" }, protected: true },
    ],
    nodes: [
      {
        id: "fetch",
        title: "Fetch the mail",
        kind: "tool",
        read_keys: ["topic"],
        write_keys: ["mail"],
        effect: "read",
        config: { server: "inbox", tool: "read", arguments: { topic: { from: "topic" } } },
      },
      {
        id: "parse",
        title: "Understand the mail",
        kind: "agent",
        read_keys: ["mail", "topic"],
        write_keys: ["request", "customer"],
        effect: "read",
        config: { agent_id: "parser", write_to: "request" },
      },
      { id: "triage", title: "Large or small?", kind: "router", read_keys: ["request"], config: {} },
      {
        id: "ask",
        title: "Ask a person",
        kind: "approval",
        read_keys: ["request"],
        write_keys: ["approved"],
        config: {
          prompt: "Is this what the customer asks for?",
          review_keys: ["request"],
          promote: [{ from: "request", to: "approved" }],
          rejection_node: "note",
        },
      },
      {
        id: "write",
        title: "Write it down",
        kind: "tool",
        read_keys: ["approved"],
        write_keys: ["result"],
        effect: "write",
        failure_policy: { attempts: 3, backoff: "fixed", backoff_ms: 0 },
        config: { server: "crm", tool: "write", arguments: { plan: { from: "approved.plan" } } },
      },
      {
        id: "note",
        title: "Close the case",
        kind: "agent",
        read_keys: ["topic", "result"],
        write_keys: ["cases"],
        config: { agent_id: "clerk", write_to: "cases" },
      },
      { id: "more", title: "More mail?", kind: "router", read_keys: ["topic"], config: {} },
      {
        id: "done",
        title: "Done",
        kind: "transform",
        write_keys: ["result"],
        config: { set: [{ path: "result", value: '{"text": "done"}' }] },
      },
    ],
    edges: [
      { id: "fetched", source: "fetch", target: "parse" },
      { id: "parsed", source: "parse", target: "triage" },
      { id: "large", source: "triage", target: "ask", condition: "memory.request.large" },
      { id: "small", source: "triage", target: "note", kind: "default" },
      { id: "asked", source: "ask", target: "write" },
      { id: "written", source: "write", target: "note" },
      { id: "noted", source: "note", target: "more" },
      { id: "again", source: "more", target: "fetch", condition: `run.iteration_count < ${visits}` },
      { id: "over", source: "more", target: "done", kind: "default" },
    ],
    start_node: "fetch",
    end_nodes: ["done"],
    max_iterations: 100_000,
    max_execution_time_ms: 30 * 86_400_000,
    max_token_budget: 40_000_000,
    budget_usd: 400,
  }),
  agents: [
    agentSchema.parse({ id: "parser", name: "Parser", tools: [{ server: "crm", tool: "find" }] }),
    agentSchema.parse({ id: "clerk", name: "Clerk" }),
  ],
  tools: [
    tool("inbox", "read", { output: "internal" }),
    tool("crm", "find", { output: "pii" }),
    tool("crm", "write", { effect: "write", idempotent: false }),
  ],
  subgraphs: [],
});
