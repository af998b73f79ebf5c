/** Valid graph with every kind of node. */
import { agentSchema, pinnedToolSchema, publishedGraphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

const writer = agentSchema.parse({ id: "writer", name: "Writer", model: "anthropic:claude-sonnet-5" });
const critic = agentSchema.parse({ id: "critic", name: "Critic", model: "openai:gpt-5.2" });
const finder = agentSchema.parse({ id: "finder", name: "Finder", tools: [{ server: "desk", tool: "find" }] });

const tool = (name: string, effect: string, more: object = {}) =>
  pinnedToolSchema.parse({
    server: "desk",
    tool: name,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: { type: "object", properties: { about: {} }, additionalProperties: false },
    effect,
    idempotent: false,
    outward: false,
    ...more,
  });

const TOOLS = [
  tool("find", "read"),
  tool("search", "read", { outward: true, clearance: "secret" }),
  tool("update", "write"),
  tool("undo", "write"),
];

const childOf = (id: string, more: Partial<GraphInput> = {}): PublishedGraph =>
  publishedGraphSchema.parse({
    graph: {
      format: "countersign/graph/v1",
      id,
      name: "Child",
      inputs: { type: "object", properties: { question: {} }, required: ["question"] },
      memory: [
        { key: "question", schema: {} },
        { key: "answer", schema: {} },
      ],
      nodes: [{ id: "answer", kind: "agent", read_keys: ["question"], write_keys: ["answer"], config: { agent_id: "writer" } }],
      edges: [],
      start_node: "answer",
      end_nodes: ["answer"],
      ...more,
    },
    agents: [writer],
    tools: TOOLS,
  });

const update = { server: "desk", tool: "update", arguments: {} };

const child = childOf("child");
const armed = childOf("armed", {
  nodes: [
    {
      id: "answer",
      kind: "tool",
      read_keys: ["question"],
      write_keys: ["answer"],
      config: { ...update, arguments: { about: { from: "question" } } },
    },
  ],
});
const chain = (length: number): ValidationContext["versions"] => {
  const versions: { version: string; published: PublishedGraph }[] = [{ version: digest(0), published: childOf("deep0") }];
  for (let index = 1; index < length; index += 1) {
    const inner = versions.map(({ version, published: { graph, agents, tools } }) => ({ version, graph, agents, tools }));
    const outer = childOf(`deep${index}`, {
      nodes: [{ id: "answer", kind: "subgraph", write_keys: [], config: { graph_id: `deep${index - 1}`, version: digest(index - 1) } }],
    });
    versions.push({ version: digest(index), published: { ...outer, subgraphs: inner } });
  }

  return versions;
};
const digest = (index: number): string => index.toString(16).padStart(64, "0");

const user = childOf("user");

export const ZOO_CONTEXT: ValidationContext = {
  agents: [writer, critic, finder],
  tools: TOOLS,
  versions: [
    { version: "c".repeat(64), published: child },
    { version: "a".repeat(64), published: armed },
    {
      version: "e".repeat(64),
      published: { ...user, subgraphs: [{ version: "f".repeat(64), ...childOf("zoo") }].map(({ subgraphs: _none, ...one }) => one) },
    },
    ...chain(33),
  ],
};

export const ZOO: GraphInput = {
  format: "countersign/graph/v1",
  id: "zoo",
  name: "Zoo",
  inputs: { type: "object", properties: { request: {}, tickets: {} } },
  memory: [
    "request",
    "tickets",
    "draft",
    "found",
    "choice",
    "best",
    "verdict",
    "summary",
    "checked",
    "answer",
    "done",
    "form",
    "weighed",
    "facts",
  ].map((key) => ({
    key,
    schema: {},
  })),
  nodes: [
    { id: "boss", kind: "supervisor", read_keys: ["request"], config: { agent_id: "writer", managed_nodes: ["draft"] } },
    { id: "draft", kind: "agent", read_keys: ["request"], write_keys: ["draft"], config: { agent_id: "writer" } },
    { id: "each", kind: "map", read_keys: ["tickets"], write_keys: ["found"], config: { worker_node: "look", items: { from: "tickets" } } },
    { id: "look", kind: "tool", config: { server: "desk", tool: "find", arguments: { about: { item: "" } } } },
    {
      id: "vote",
      kind: "voting",
      read_keys: ["draft"],
      write_keys: ["choice"],
      config: { voters: [{ agent_id: "writer" }, { agent_id: "writer" }], strategy: "judge", judge_id: "critic", quorum: 2 },
    },
    {
      id: "search",
      kind: "evolution",
      read_keys: ["draft"],
      write_keys: ["best"],
      config: { candidate_id: "writer", fitness: { agent_id: "critic" } },
    },
    {
      id: "check",
      kind: "verifier",
      read_keys: ["draft"],
      write_keys: ["verdict"],
      config: { check: { type: "judge", agent_id: "critic", key: "draft" } },
    },
    { id: "merge", kind: "synthesizer", read_keys: ["choice", "best"], write_keys: ["summary"], config: { merge: "object" } },
    { id: "ask", kind: "approval", write_keys: ["checked"], config: { prompt: "Right?", promote: [{ from: "found", to: "checked" }] } },
    {
      id: "pull",
      kind: "extract",
      read_keys: ["found"],
      write_keys: ["form"],
      config: {
        agent_id: "writer",
        from: "found",
        fields: [
          { name: "plan", value: { type: "enum", values: ["basic", "team"] } },
          { name: "page", value: { type: "url" } },
        ],
      },
    },
    {
      id: "inspect",
      kind: "review",
      read_keys: ["form", "found"],
      config: { target: "form", source: "found", reviewers: [{ type: "agent", agent_id: "critic" }, { type: "person" }], quorum: 2 },
    },
    {
      id: "weigh",
      kind: "judge",
      read_keys: ["form"],
      write_keys: ["weighed"],
      config: {
        review: "inspect",
        from: "form",
        to: "weighed",
        rules: [
          { field: "plan", rule: { type: "enum", values: ["basic"] } },
          { field: "page", rule: { type: "url", origins: ["https://example.org"] } },
        ],
      },
    },
    {
      id: "child",
      kind: "subgraph",
      read_keys: ["request"],
      write_keys: ["answer"],
      config: { graph_id: "child", inputs: { question: "request" }, outputs: { answer: "answer" } },
    },
    {
      id: "act",
      kind: "tool",
      read_keys: ["checked"],
      write_keys: ["done"],
      approval: "always",
      compensation: { server: "desk", tool: "undo", arguments: { about: { from: "checked" } } },
      config: { ...update, arguments: { about: { from: "checked" } } },
    },
    { id: "keep", kind: "reflection", read_keys: ["summary"], write_keys: ["facts"], config: { topic: "zoo" } },
  ],
  edges: [
    { id: "managed", source: "draft", target: "boss" },
    ...["boss", "each", "vote", "search", "check", "merge", "ask", "pull", "inspect", "weigh", "child", "act"].map(
      (source, index, all) => ({
        id: `e${index}`,
        source,
        target: all[index + 1] ?? "keep",
      }),
    ),
  ],
  start_node: "boss",
  end_nodes: ["keep"],
  max_token_budget: 1_000,
  verification: { checks: [{ id: "security", agent_id: "critic" }] },
};
