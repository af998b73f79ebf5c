import { agentSchema, graphSchema, type GraphInput, type PinnedTool, type PublishedGraph } from "@/lib/graph/document";

type NodeInput = GraphInput["nodes"][number];
type EdgeInput = GraphInput["edges"][number];

const AGENT = agentSchema.parse({
  id: "worker",
  name: "Worker",
  tools: [
    { server: "world", tool: "look" },
    { server: "world", tool: "post" },
  ],
  max_steps: 8,
  timeout_ms: 10_000,
});

const inARow = (ids: readonly string[]): EdgeInput[] =>
  ids.slice(1).map((target, index) => ({ id: `to_${target}`, source: ids[index] ?? "", target }));

const graphOf = (id: string, nodes: readonly NodeInput[], change: Partial<GraphInput> = {}): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name: id,
  inputs: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  memory: [
    { key: "text", schema: { type: "string" } },
    { key: "n", schema: {} },
    { key: "found", schema: {} },
    { key: "out", schema: {} },
  ],
  nodes: [...nodes],
  edges: inARow(nodes.map((node) => node.id)),
  start_node: nodes[0]?.id ?? "",
  end_nodes: [nodes.at(-1)?.id ?? ""],
  max_iterations: 200,
  max_token_budget: 10_000_000,
  ...change,
});

const TEXT = { text: { from: "text" } } as const;
const end = (id = "done"): NodeInput => ({ id, kind: "router", config: {} });
const again = { attempts: 6, backoff: "fixed", backoff_ms: 400 } as const;
const once = { attempts: 1 } as const;

const set = (id: string, value: string): NodeInput => ({
  id,
  kind: "transform",
  read_keys: ["text", "n"],
  write_keys: ["n"],
  config: { set: [{ path: "n", value }] },
});

const call = (id: string, tool: string, change: Partial<Extract<NodeInput, { kind: "tool" }>> = {}): NodeInput => ({
  id,
  kind: "tool",
  read_keys: ["text"],
  write_keys: ["found"],
  effect: tool === "look" || tool === "refuse" ? "read" : "write",
  failure_policy: again,
  config: { server: "world", tool, arguments: TEXT },
  ...change,
});

const approval = (id: string, config: Omit<Extract<NodeInput, { kind: "approval" }>["config"], "prompt">): NodeInput => ({
  id,
  kind: "approval",
  read_keys: ["text"],
  config: { prompt: "Shall it be done?", review_keys: ["text"], ...config },
});

const undone = { server: "world", tool: "withdraw", arguments: { text: { argument: "text" } } };

const CHAIN = graphOf("chain", [set("s0", "0"), ...Array.from({ length: 8 }, (_, index) => set(`s${index + 1}`, "memory.n + 1.0"))]);

const AGENTS = graphOf("agent", [
  {
    id: "work",
    kind: "agent",
    read_keys: ["text"],
    write_keys: ["out"],
    effect: "write",
    failure_policy: again,
    config: { agent_id: "worker", write_to: "out" },
  },
  end(),
]);

const GATED = graphOf("gated", [
  set("prepare", "0"),
  approval("ask", { for_node: "send", rejection_node: "done" }),
  call("send", "send", { failure_policy: once }),
  end(),
]);

/** Gate only about an unknown outcome. */
const SENDING = graphOf(
  "sending",
  [call("first", "send", { failure_policy: once }), call("second", "send", { failure_policy: once }), end()],
  {
    edges: [
      { id: "on", source: "first", target: "second" },
      { id: "on_after_error", source: "first", target: "second", kind: "error" },
      { id: "out", source: "second", target: "done" },
      { id: "out_after_error", source: "second", target: "done", kind: "error" },
    ],
  },
);

const MAP = graphOf(
  "map",
  [
    {
      id: "each",
      kind: "map",
      write_keys: ["out"],
      effect: "write",
      failure_policy: again,
      config: {
        worker_node: "one",
        items: { value: ["a", "b", "c", "d", "e"] },
        max_concurrency: 3,
        error_strategy: "best_effort",
        write_to: "out",
      },
    },
    end(),
    call("one", "post", { read_keys: [], write_keys: [], config: { server: "world", tool: "post", arguments: { text: { item: "" } } } }),
  ],
  { edges: [{ id: "mapped", source: "each", target: "done" }], end_nodes: ["done"] },
);

const RETRYING = graphOf("retrying", [call("look", "look"), set("count", "1"), call("post", "post"), end()]);

/** Fails and undoes its post. */
const UNDO = graphOf("undo", [
  call("one", "post", { compensation: undone }),
  call("two", "post", { compensation: undone }),
  call("fail", "refuse", { failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 200 } }),
  end(),
]);

const TIMER = graphOf("timer", [set("prepare", "0"), approval("ask", { timeout_ms: 5_000, rejection_node: "done" }), end()]);

const WAITING = graphOf("waiting", [set("prepare", "0"), approval("ask", {}), end()]);

/** By share of runs. */
export const SHARES = {
  chain: 20,
  agent: 20,
  gated: 15,
  sending: 10,
  map: 8,
  retrying: 10,
  undo: 7,
  timer: 5,
  waiting: 5,
} as const;
export type GraphName = keyof typeof SHARES;

const GRAPHS = {
  chain: CHAIN,
  agent: AGENTS,
  gated: GATED,
  sending: SENDING,
  map: MAP,
  retrying: RETRYING,
  undo: UNDO,
  timer: TIMER,
  waiting: WAITING,
} as const satisfies Record<GraphName, GraphInput>;

export const GRAPH_NAMES = Object.keys(SHARES).filter((name): name is GraphName => name in SHARES);

export const findVersion = (name: GraphName, tools: readonly PinnedTool[]): PublishedGraph => ({
  graph: graphSchema.parse(GRAPHS[name]),
  agents: [AGENT],
  tools: [...tools],
  subgraphs: [],
});
