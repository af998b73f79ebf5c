import { agentSchema, graphSchema, type GraphInput, type PinnedTool, type PublishedGraph } from "@/lib/graph/document";

/** Effects are counted outside the database. */
export const TILL = { server: "world", pays: "send", posts: "post", looks: "look" } as const;

type NodeInput = GraphInput["nodes"][number];
type ApprovalInput = Extract<NodeInput, { kind: "approval" }>;

const graphOf = (id: string, nodes: GraphInput["nodes"], change: Partial<GraphInput> = {}): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name: id,
  inputs: { type: "object", properties: { text: { type: "string" }, account: { type: "string" } }, required: ["text"] },
  memory: [
    { key: "text", schema: { type: "string" } },
    { key: "account", schema: { type: "string" }, classification: "secret" },
    { key: "found", schema: {} },
  ],
  nodes,
  edges: nodes.slice(1).map((node, index) => ({ id: `to_${node.id}`, source: nodes[index]?.id ?? "", target: node.id })),
  start_node: nodes[0]?.id ?? "",
  end_nodes: [nodes.at(-1)?.id ?? ""],
  max_iterations: 50,
  ...change,
});

const prepare: NodeInput = { id: "prepare", kind: "router", config: {} };

/** The tool's own class demands the approval. */
const pay: NodeInput = {
  id: "pay",
  kind: "tool",
  read_keys: ["text"],
  write_keys: ["found"],
  effect: "read",
  failure_policy: { attempts: 1 },
  config: { server: TILL.server, tool: TILL.pays, arguments: { text: { from: "text" } } },
};

const ask: ApprovalInput = {
  id: "ask",
  kind: "approval",
  read_keys: ["text"],
  config: { prompt: "Shall it be paid?", review_keys: ["text"], for_node: "pay", rejection_node: "done" },
};

const done: NodeInput = { id: "done", kind: "router", config: {} };

const GRAPHS = {
  charge: graphOf("charge", [prepare, pay, done]),
  invoice: graphOf("invoice", [prepare, { ...ask, config: { ...ask.config, quorum: 2 } }, pay, done]),
  signed: graphOf("signed", [prepare, { ...ask, config: { ...ask.config, passkey: true } }, pay, done]),
  /** Writes need approval unless the input is vouched for. */
  kiosk: graphOf(
    "kiosk",
    [
      {
        id: "post",
        kind: "tool",
        read_keys: ["text"],
        write_keys: ["found"],
        effect: "write",
        failure_policy: { attempts: 1 },
        action: { inputs: [{ name: "text", path: "text" }] },
        config: { server: TILL.server, tool: TILL.posts, arguments: { text: { from: "text" } } },
      },
      done,
    ],
    { external: { read_keys: [] }, inputs: { type: "object" } },
  ),
} as const satisfies Record<string, GraphInput>;

export type GraphName = keyof typeof GRAPHS;
export const GRAPH_NAMES = ["charge", "invoice", "signed", "kiosk"] as const satisfies readonly GraphName[];

export const findVersion = (name: GraphName, tools: readonly PinnedTool[]): PublishedGraph => ({
  graph: graphSchema.parse(GRAPHS[name]),
  agents: [agentSchema.parse({ id: "clerk", name: "Clerk" })],
  tools: tools.filter(({ server }) => server === TILL.server),
  subgraphs: [],
});

export const relabelTools = (published: PublishedGraph): PublishedGraph => ({
  ...published,
  tools: published.tools.map((tool) => ({ ...tool, effect: "read", idempotent: true })),
});
