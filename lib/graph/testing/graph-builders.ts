import { agentSchema, graphSchema, pinnedToolSchema, type Graph, type GraphInput, type PinnedTool } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

type NodeInput = GraphInput["nodes"][number];

const pinned = (tool: string, labels: Partial<PinnedTool>): PinnedTool =>
  pinnedToolSchema.parse({
    server: "desk",
    tool,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: {},
    effect: "read",
    idempotent: false,
    outward: false,
    ...labels,
  });

/** `find` reads, `update` writes, `wipe` is irreversible, `post` sends outside, `vault` answers secrets. */
export const CONTEXT: ValidationContext = {
  agents: [
    agentSchema.parse({ id: "writer", name: "Writer" }),
    agentSchema.parse({ id: "judge", name: "Judge" }),
    agentSchema.parse({ id: "finder", name: "Finder", tools: [{ server: "desk", tool: "find" }] }),
    agentSchema.parse({
      id: "doer",
      name: "Doer",
      tools: [
        { server: "desk", tool: "find" },
        { server: "desk", tool: "update" },
      ],
    }),
  ],
  tools: [
    pinned("find", {}),
    pinned("update", { effect: "write" }),
    pinned("wipe", { effect: "irreversible" }),
    pinned("post", { outward: true }),
    pinned("vault", { output: "secret" }),
  ],
  versions: [],
};

export const agent = (id: string, reads: string[], writes: string[], agentId = "writer", more: Partial<NodeInput> = {}): NodeInput =>
  ({ id, kind: "agent", read_keys: reads, write_keys: writes, config: { agent_id: agentId }, ...more }) as NodeInput;

export const tool = (id: string, name: string, reads: string[], writes: string[], more: Partial<NodeInput> = {}): NodeInput =>
  ({
    id,
    kind: "tool",
    read_keys: reads,
    write_keys: writes,
    config: { server: "desk", tool: name, arguments: Object.fromEntries(reads.map((from) => [from.replaceAll(".", "_"), { from }])) },
    ...more,
  }) as NodeInput;

export const gate = (id: string, config: object = {}): NodeInput => ({ id, kind: "approval", config: { prompt: "Go on?", ...config } });

export const extract = (id: string, from: string, to: string, config: object = {}): NodeInput => ({
  id,
  kind: "extract",
  read_keys: [from],
  write_keys: [to],
  config: { agent_id: "writer", from, fields: [{ name: "plan", value: { type: "enum", values: ["basic", "team"] } }], ...config },
});

/** One person by default. */
export const review = (id: string, target: string, config: object = {}): NodeInput => ({
  id,
  kind: "review",
  read_keys: [target],
  config: { target, reviewers: [{ type: "person" }], ...config },
});

/** Of the review `ask`. */
export const judge = (id: string, from: string, to: string, config: object = {}): NodeInput => ({
  id,
  kind: "judge",
  read_keys: [from],
  write_keys: [to],
  config: { review: "ask", from, to, rules: [{ field: "plan", rule: { type: "enum", values: ["basic"] } }], ...config },
});

export const router = (id: string, reads: string[] = []): NodeInput => ({ id, kind: "router", read_keys: reads, config: {} });

type Way = string | { readonly way: string; readonly condition?: string; readonly kind?: "default" | "error" };

/** Edges are `a>b`; leaves are ends; all named keys are declared. */
export const drawn = (nodes: readonly NodeInput[], ways: readonly Way[], more: Partial<GraphInput> = {}): Graph => {
  const edges = ways.map((item, index) => {
    const { way, ...rest } = typeof item === "string" ? { way: item } : item;
    const [source = "", target = ""] = way.split(">");

    return { id: `e${index}`, source, target, ...rest };
  });
  const named = nodes.flatMap((node) => [...(node.read_keys ?? []), ...(node.write_keys ?? [])]).map((path) => path.split(".")[0] ?? "");
  const declared = new Set(more.memory?.map((key) => key.key));
  const memory = [...new Set(named)].filter((key) => key !== "*" && !declared.has(key)).map((key) => ({ key, schema: {} }));

  return graphSchema.parse({
    format: "countersign/graph/v1",
    id: "drawn",
    name: "Drawn",
    nodes,
    edges,
    start_node: nodes[0]?.id,
    end_nodes: nodes.map((node) => node.id).filter((id) => edges.every((edge) => edge.source !== id)),
    ...more,
    memory: [...(more.memory ?? []), ...memory],
  });
};
