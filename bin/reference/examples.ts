import { agentSchema, pinnedToolSchema, publishedGraphSchema, type GraphInput } from "@/lib/graph/document";
import type { NodeKind } from "@/lib/graph/kinds";
import type { ValidationContext } from "@/lib/graph/facts/facts";

type Node = GraphInput["nodes"][number];

const text = { type: "string" };
const list = { type: "array", items: text };
const any = {};

const chain = (
  name: string,
  keys: Readonly<Record<string, object>>,
  nodes: readonly Node[],
  more: Partial<GraphInput> = {},
): GraphInput => ({
  format: "countersign/graph/v1",
  id: name,
  name: `Example of ${name}`,
  inputs: { type: "object", properties: { question: text }, required: ["question"], additionalProperties: false },
  memory: Object.entries({ question: text, ...keys }).map(([key, schema]) => ({ key, schema })) as GraphInput["memory"] & object,
  nodes: [...nodes],
  edges: nodes.slice(1).map((node, index) => ({ id: `e${index}`, source: nodes[index]?.id ?? "", target: node.id })),
  start_node: nodes[0]?.id ?? "",
  end_nodes: [nodes.at(-1)?.id ?? ""],
  budget_usd: 1,
  ...more,
});

const draft: Node = { id: "draft", kind: "agent", read_keys: ["question"], write_keys: ["draft"], config: { agent_id: "writer" } };
const form: Node = {
  id: "read",
  kind: "extract",
  read_keys: ["question"],
  write_keys: ["form"],
  config: { agent_id: "writer", from: "question", fields: [{ name: "plan", value: { type: "enum", values: ["basic", "team"] } }] },
};
const check: Node = {
  id: "check",
  kind: "review",
  read_keys: ["form", "question"],
  config: { target: "form", source: "question", reviewers: [{ type: "person" }] },
};

export const EXAMPLES: Readonly<Record<NodeKind, GraphInput>> = {
  agent: chain("agent", { draft: text }, [draft]),
  tool: chain("tool", { found: any }, [
    {
      id: "find",
      kind: "tool",
      read_keys: ["question"],
      write_keys: ["found"],
      effect: "read",
      config: { server: "desk", tool: "find", arguments: { about: { from: "question" } } },
    },
  ]),
  router: chain("router", { draft: text }, [{ id: "route", kind: "router", read_keys: ["question"], config: {} }, draft], {
    edges: [
      { id: "ask", source: "route", target: "draft", condition: 'memory.question != ""' },
      { id: "skip", source: "route", target: "done", kind: "default" },
    ],
    nodes: [{ id: "route", kind: "router", read_keys: ["question"], config: {} }, draft, { id: "done", kind: "router", config: {} }],
    end_nodes: ["draft", "done"],
  }),
  transform: chain("transform", { length: { type: "number" } }, [
    {
      id: "measure",
      kind: "transform",
      read_keys: ["question"],
      write_keys: ["length"],
      config: { set: [{ path: "length", value: "size(memory.question)" }] },
    },
  ]),
  approval: chain("approval", { draft: text, approved: text }, [
    draft,
    {
      id: "approve",
      kind: "approval",
      read_keys: ["draft"],
      write_keys: ["approved"],
      config: { prompt: "Send this answer?", review_keys: ["draft"], promote: [{ from: "draft", to: "approved" }] },
    },
  ]),
  supervisor: chain("supervisor", { draft: text }, [draft], {
    nodes: [
      { id: "lead", kind: "supervisor", read_keys: ["question"], config: { agent_id: "writer", managed_nodes: ["draft"] } },
      draft,
      { id: "done", kind: "router", config: {} },
    ],
    edges: [
      { id: "back", source: "draft", target: "lead" },
      { id: "end", source: "lead", target: "done" },
    ],
    start_node: "lead",
    end_nodes: ["done"],
  }),
  map: chain("map", { topics: list, found: any }, [], {
    inputs: { type: "object", properties: { topics: list }, required: ["topics"], additionalProperties: false },
    memory: [
      { key: "topics", schema: list },
      { key: "found", schema: any },
    ],
    nodes: [
      { id: "each", kind: "map", read_keys: ["topics"], write_keys: ["found"], config: { worker_node: "find", items: { from: "topics" } } },
      { id: "find", kind: "tool", effect: "read", config: { server: "desk", tool: "find", arguments: { about: { item: "" } } } },
    ],
    start_node: "each",
    end_nodes: ["each"],
  }),
  voting: chain("voting", { choice: any }, [
    {
      id: "vote",
      kind: "voting",
      read_keys: ["question"],
      write_keys: ["choice"],
      config: { voters: [{ agent_id: "writer" }, { agent_id: "critic" }, { agent_id: "third" }], options: ["yes", "no"] },
    },
  ]),
  evolution: chain("evolution", { best: any }, [
    {
      id: "search",
      kind: "evolution",
      read_keys: ["question"],
      write_keys: ["best"],
      config: { candidate_id: "writer", fitness: { agent_id: "critic", criteria: "Clear and short." } },
    },
  ]),
  verifier: chain("verifier", { draft: text, verdict: any }, [
    draft,
    {
      id: "verify",
      kind: "verifier",
      read_keys: ["draft"],
      write_keys: ["verdict"],
      config: { check: { type: "expression", expression: "size(memory.draft) < 500" } },
    },
  ]),
  synthesizer: chain("synthesizer", { draft: text, summary: any }, [
    draft,
    { id: "join", kind: "synthesizer", read_keys: ["question", "draft"], write_keys: ["summary"], config: { merge: "object" } },
  ]),
  reflection: chain("reflection", { draft: text, facts: any }, [
    draft,
    { id: "learn", kind: "reflection", read_keys: ["draft"], write_keys: ["facts"], config: { topic: "answers" } },
  ]),
  subgraph: chain("subgraph", { answer: text }, [
    {
      id: "answer",
      kind: "subgraph",
      read_keys: ["question"],
      write_keys: ["answer"],
      config: { graph_id: "agent", inputs: { question: "question" }, outputs: { answer: "draft" } },
    },
  ]),
  extract: chain("extract", { form: any }, [form]),
  review: chain("review", { form: any }, [form, check]),
  judge: chain("judge", { form: any, plan: any }, [
    form,
    check,
    {
      id: "decide",
      kind: "judge",
      read_keys: ["form"],
      write_keys: ["plan"],
      config: { review: "check", from: "form", to: "plan", rules: [{ field: "plan", rule: { type: "enum", values: ["basic", "team"] } }] },
    },
  ]),
};

const agents = [
  agentSchema.parse({ id: "writer", name: "Writer", model: "anthropic:claude-sonnet-5" }),
  agentSchema.parse({ id: "critic", name: "Critic", model: "openai:gpt-5.2" }),
  agentSchema.parse({ id: "third", name: "Third", model: "google:gemini-3" }),
];

/** Agents `writer`, `critic`, `third`; tool `desk/find`; the agent example. */
export const EXAMPLE_CONTEXT: ValidationContext = {
  agents,
  tools: [
    pinnedToolSchema.parse({
      server: "desk",
      tool: "find",
      definition_digest: "0".repeat(64),
      description: "",
      input_schema: { type: "object", properties: { about: text }, required: ["about"], additionalProperties: false },
      effect: "read",
      idempotent: true,
      outward: false,
    }),
  ],
  versions: [{ version: "a".repeat(64), published: publishedGraphSchema.parse({ graph: EXAMPLES.agent, agents, tools: [] }) }],
};
