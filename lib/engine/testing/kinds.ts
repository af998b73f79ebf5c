import {
  agentSchema,
  graphSchema,
  pinnedToolSchema,
  type Agent,
  type GraphInput,
  type PinnedTool,
  type PublishedGraph,
  type SubgraphVersion,
} from "@/lib/graph/document";
import { call, result, update, type TestRun } from "@/lib/engine/testing/run";

type NodeInput = GraphInput["nodes"][number];
type EdgeInput = NonNullable<GraphInput["edges"]>[number];

const MEMORY: GraphInput["memory"] = [
  { key: "topic", schema: {}, classification: "public" },
  { key: "mail", schema: {} },
  { key: "items", schema: {} },
  { key: "out", schema: {} },
  { key: "note", schema: {} },
  { key: "more", schema: {} },
  { key: "clean", schema: {} },
  { key: "person", schema: {}, classification: "pii" },
  { key: "salary", schema: {}, classification: "secret" },
  { key: "is_admin", schema: {}, protected: true },
];

const INPUTS = { type: "object", additionalProperties: true };

const tool = (name: string, change: Partial<PinnedTool>): PinnedTool => {
  const [server = "", of = ""] = name.split(".");

  return pinnedToolSchema.parse({
    server,
    tool: of,
    definition_digest: "d".repeat(64),
    description: "",
    input_schema: { type: "object", additionalProperties: true },
    effect: "read",
    idempotent: true,
    ...change,
  });
};

/** `docs.read` reads; `web.send` is outward; `crm.*` internal. */
export const TOOLS: readonly PinnedTool[] = [
  tool("docs.read", { outward: false, clearance: "secret" }),
  tool("web.send", { clearance: "secret" }),
  tool("crm.write", { effect: "write", idempotent: false, outward: false }),
  tool("crm.undo", { effect: "write", idempotent: false, outward: false }),
  tool("crm.erase", { effect: "irreversible", idempotent: false, outward: false }),
];

const agent = (id: string, change: Partial<Agent> = {}): Agent => agentSchema.parse({ id, name: id, ...change });

/** `reader` reads only `mail`, `clean` and `items`. */
export const AGENTS: readonly Agent[] = [
  agent("plain"),
  agent("reader", { permissions: { read_keys: ["mail", "clean", "items"] } }),
  agent("blind", { permissions: { read_keys: [], write_keys: [] } }),
  agent("handy", { tools: TOOLS.map(({ server, tool: of }) => ({ server, tool: of })) }),
];

export const inARow = (...ids: readonly string[]): EdgeInput[] =>
  ids.slice(1).map((target, index) => ({ id: `e${index}_${target}`, source: ids[index] ?? "", target }));

type Parts = {
  readonly agents?: readonly Agent[];
  readonly tools?: readonly PinnedTool[];
  readonly subgraphs?: readonly SubgraphVersion[];
};

export const version = (nodes: readonly NodeInput[], graph: Partial<GraphInput> = {}, parts: Parts = {}): PublishedGraph => {
  const ids = nodes.map((node) => node.id);

  return {
    graph: graphSchema.parse({
      format: "countersign/graph/v1",
      id: "kinds",
      name: "Kinds",
      inputs: INPUTS,
      memory: MEMORY,
      nodes: [...nodes],
      edges: inARow(...ids),
      start_node: ids[0] ?? "",
      end_nodes: [ids.at(-1) ?? ""],
      ...graph,
    }),
    agents: [...(parts.agents ?? AGENTS)],
    tools: [...(parts.tools ?? TOOLS)],
    subgraphs: [...(parts.subgraphs ?? [])],
  };
};

const digit = (name: string): string => name.repeat(64).slice(0, 64);

export const child = (name: string, published: PublishedGraph): SubgraphVersion => ({
  version: digit(name),
  graph: published.graph,
  agents: published.agents,
  tools: published.tools,
});

export const using = (id: string, name: string, config: object = {}, rest: object = {}): NodeInput => ({
  id,
  kind: "subgraph",
  config: { graph_id: "kinds", version: digit(name), ...config },
  ...rest,
});

/** `mail` becomes untrusted. */
export const FETCH: NodeInput = {
  id: "fetch",
  kind: "tool",
  read_keys: ["topic"],
  write_keys: ["mail", "items"],
  config: { server: "docs", tool: "read", arguments: { topic: { from: "topic" } }, write_to: "mail" },
};

export const writer = (id: string, change: object = {}): NodeInput => ({
  id,
  kind: "tool",
  read_keys: ["topic"],
  write_keys: ["out"],
  effect: "write",
  config: { server: "crm", tool: "write", arguments: { what: { from: "topic" }, by: { value: id } }, write_to: "out" },
  compensation: { server: "crm", tool: "undo", arguments: { what: { argument: "by" } } },
  ...change,
});

export const END: NodeInput = {
  id: "end",
  kind: "transform",
  read_keys: ["mail"],
  write_keys: ["out"],
  config: { set: [{ path: "out", value: "1" }] },
};

export const step = (id: string, change: object = {}): NodeInput => ({
  id,
  kind: "transform",
  write_keys: ["note", "out", "more", "clean"],
  config: { set: [{ path: "out", value: "1" }] },
  ...change,
});

/** `value` arrives untrusted. */
export const fetchAs = (run: TestRun, value: unknown = "hello", key = "mail"): void => {
  call(run, "docs", "read", { topic: "plans" }, value as never);
  run.work(result(update(key, value)));
};
