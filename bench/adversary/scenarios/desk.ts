import { PARTS, publish, type Edges, type Nodes, type Scenario } from "./building-blocks";

type Change = Readonly<Record<string, Record<string, unknown>>>;

const NODES: Nodes = [
  PARTS.fetch,
  PARTS.parse,
  { id: "triage", kind: "router", read_keys: ["request", "topic"], config: {} },
  PARTS.ask,
  PARTS.write,
  PARTS.decline,
  PARTS.rescue,
];

const EDGES: Edges = [
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

const STRICT_EDGES: Edges = [
  ...EDGES.filter((edge) => edge.id !== "parsed"),
  { id: "parsed", source: "parse", target: "triage", condition: 'memory.request.plan != "stop"' },
  { id: "stopped", source: "parse", target: "decline", kind: "default" },
];

const changed = (change: Change): Nodes =>
  NODES.map((node) => {
    const own = change[node.id] ?? {};

    return { ...node, ...own, config: { ...node.config, ...(own["config"] as object | undefined) } } as Nodes[number];
  });

const desk = (overrides: Partial<Parameters<typeof publish>[0]>) =>
  publish({ nodes: NODES, edges: EDGES, start_node: "fetch", end_nodes: ["write", "decline", "rescue"], max_iterations: 12, ...overrides });

const onlyTopic = { read_keys: ["topic"] };

export const DESKS: readonly [Scenario, ...Scenario[]] = [
  { name: "desk", published: desk({}), approvals: 1 },
  { name: "strict", published: desk({ strict_taint: true, edges: STRICT_EDGES }), approvals: 3 },
  {
    name: "two people",
    published: desk({
      nodes: changed({ parse: { approval: "always" }, ask: { config: { quorum: 2 } }, write: { effect: "irreversible" } }),
      max_iterations: 5,
      max_execution_time_ms: 60_000,
    }),
    approvals: 3,
  },
  {
    name: "trusted data",
    published: desk({ start_node: "parse", nodes: changed({ parse: onlyTopic }), max_iterations: 4 }),
    approvals: 1,
  },
  {
    name: "trusted agent",
    published: publish({
      nodes: [
        {
          id: "keep",
          kind: "agent",
          read_keys: ["topic"],
          write_keys: ["answer", "note"],
          config: { agent_id: "keeper", write_to: "answer" },
        },
        PARTS.rescue,
      ],
      edges: [{ id: "kept", source: "keep", target: "rescue" }],
      start_node: "keep",
      end_nodes: ["rescue"],
    }),
    approvals: 0,
  },
  { name: "sent back", published: desk({ nodes: changed({ ask: { config: { changes_node: "parse" } } }) }), approvals: 1 },
  {
    name: "always ask",
    published: desk({
      start_node: "parse",
      nodes: changed({ parse: onlyTopic, ask: { config: { for_node: undefined } }, write: { approval: "always" } }),
    }),
    approvals: 2,
  },
];
