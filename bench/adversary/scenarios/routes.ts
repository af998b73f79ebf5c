import { findChild, PARTS, publish, type Edges, type Nodes, type Scenario } from "./building-blocks";

const { fetch, parse, ask, write, decline, rescue } = PARTS;

const BOSS: Nodes = [
  {
    id: "boss",
    kind: "supervisor",
    read_keys: ["request", "mail"],
    write_keys: ["note"],
    config: { agent_id: "helper", managed_nodes: ["parse", "jot"], max_iterations: 3 },
  },
  parse,
  { id: "jot", kind: "transform", write_keys: ["note", "verdict"], config: { set: [{ path: "note", value: '"fine"' }] } },
  ask,
  write,
  decline,
  rescue,
];

const BOSS_EDGES: Edges = [
  { id: "parsed", source: "parse", target: "boss" },
  { id: "jotted", source: "jot", target: "boss" },
  { id: "boss_failed", source: "boss", target: "rescue", kind: "error" },
  { id: "settled", source: "boss", target: "ask" },
  { id: "asked", source: "ask", target: "write" },
];

const ENDS = ["write", "decline", "rescue"];

const SWARM: Nodes = [
  fetch,
  { ...parse, config: { ...parse.config, swarm: { peers: ["second"], max_handoffs: 2 } } },
  {
    ...parse,
    id: "second",
    read_keys: ["topic"],
    config: { ...parse.config, swarm: { peers: ["parse", "jot"], max_handoffs: 2 } },
  },
  { id: "jot", kind: "transform", write_keys: ["note", "verdict"], config: { set: [{ path: "note", value: '"fine"' }] } },
  ask,
  write,
  decline,
];

const SWARM_EDGES: Edges = [
  { id: "fetched", source: "fetch", target: "parse" },
  { id: "parsed", source: "parse", target: "ask" },
  { id: "seconded", source: "second", target: "ask" },
  { id: "jotted", source: "jot", target: "decline" },
  { id: "asked", source: "ask", target: "write" },
];

const CHILD = findChild("5", {
  nodes: [{ ...parse, read_keys: ["*"] }, { id: "triage", kind: "router", read_keys: ["request"], config: {} }, ask, write, decline],
  edges: [
    { id: "parsed", source: "parse", target: "triage" },
    { id: "again", source: "triage", target: "parse", condition: 'memory.request.plan == "again"' },
    { id: "free", source: "triage", target: "decline", condition: 'memory.request.plan == "free"' },
    { id: "other", source: "triage", target: "ask", kind: "default" },
    { id: "asked", source: "ask", target: "write" },
  ],
  start_node: "parse",
  end_nodes: ["write", "decline"],
  max_iterations: 5,
  max_execution_time_ms: 2 * 86_400_000,
  max_token_budget: 400,
  budget_usd: 0.0004,
});

const inner = (version: string, answer = "request.plan") =>
  ({
    id: "inner",
    kind: "subgraph",
    read_keys: ["topic", "mail"],
    write_keys: ["answer", "verdict", "is_admin"],
    config: {
      graph_id: "target",
      version: version.repeat(64),
      inputs: { topic: "topic", mail: "mail" },
      outputs: { answer, verdict: "note", is_admin: "is_admin" },
    },
  }) as const satisfies Nodes[number];

const MIDDLE = findChild("6", {
  nodes: [inner("5"), rescue],
  edges: [{ id: "inner_failed", source: "inner", target: "rescue", kind: "error" }],
  start_node: "inner",
  end_nodes: ["inner", "rescue"],
  strict_taint: true,
});

const ITSELF = findChild("7", { nodes: [inner("7"), decline], edges: [], start_node: "inner", end_nodes: ["inner"] });

const OUTER_EDGES: Edges = [
  { id: "fetched", source: "fetch", target: "inner" },
  { id: "inner_failed", source: "inner", target: "rescue", kind: "error" },
  { id: "free", source: "inner", target: "decline", condition: 'memory.answer == "free"' },
  { id: "done", source: "inner", target: "rescue", kind: "default" },
];

const outer = (version: string, children: readonly (typeof CHILD)[], more: Partial<Parameters<typeof publish>[0]> = {}) =>
  publish(
    {
      nodes: [fetch, inner(version, version === "6" ? "answer" : undefined), decline, rescue],
      edges: OUTER_EDGES,
      start_node: "fetch",
      end_nodes: ["decline", "rescue"],
      ...more,
    },
    [...children],
  );

const UNDO: Nodes = [
  parse,
  ask,
  {
    ...write,
    compensation: { server: "crm", tool: "restore", arguments: { plan: { argument: "plan" }, ticket: { result: "ticket" } } },
  },
  {
    ...write,
    id: "rewrite",
    compensation: { server: "crm", tool: "restore", arguments: { plan: { value: "team" }, ticket: { result: "ticket" } } },
  },
  {
    id: "check",
    kind: "verifier",
    read_keys: ["request"],
    write_keys: ["answer"],
    config: { check: { type: "expression", expression: "false" }, on_fail: "fail" },
  },
  decline,
];

const UNDO_EDGES: Edges = [
  { id: "parsed", source: "parse", target: "ask" },
  { id: "asked", source: "ask", target: "write" },
  { id: "written", source: "write", target: "rewrite" },
  { id: "rewritten", source: "rewrite", target: "check" },
  { id: "checked", source: "check", target: "decline" },
];

export const WAYS: readonly Scenario[] = [
  {
    name: "supervisor",
    published: publish({ nodes: BOSS, edges: BOSS_EDGES, start_node: "boss", end_nodes: ENDS }),
    approvals: 1,
  },
  {
    name: "strict supervisor",
    published: publish({
      nodes: [fetch, ...BOSS],
      edges: [{ id: "fetched", source: "fetch", target: "boss" }, ...(BOSS_EDGES ?? [])],
      start_node: "fetch",
      end_nodes: ENDS,
      strict_taint: true,
    }),
    approvals: 3,
  },
  {
    name: "swarm",
    published: publish({ nodes: SWARM, edges: SWARM_EDGES, start_node: "fetch", end_nodes: ENDS.slice(0, 2) }),
    approvals: 1,
  },
  {
    name: "strict swarm",
    published: publish({ nodes: SWARM, edges: SWARM_EDGES, start_node: "fetch", end_nodes: ENDS.slice(0, 2), strict_taint: true }),
    approvals: 2,
  },
  { name: "subgraph", published: outer("5", [CHILD]), approvals: 1 },
  { name: "strict subgraph", published: outer("5", [CHILD], { strict_taint: true }), approvals: 3 },
  { name: "subgraph in a subgraph", published: outer("6", [CHILD, MIDDLE]), approvals: 2 },
  // Leaving a nested graph by a failure counts as an iteration.
  { name: "a graph in itself", published: outer("7", [ITSELF], { max_iterations: 100 }), approvals: 0 },
  {
    name: "compensation",
    published: publish({
      nodes: [{ ...parse, read_keys: ["topic"] }, ...UNDO.slice(1)],
      edges: UNDO_EDGES,
      start_node: "parse",
      end_nodes: ["decline"],
    }),
    approvals: 4,
    ends: "failed",
  },
  {
    name: "compensation inside a subgraph",
    published: publish(
      {
        nodes: [
          {
            id: "inner",
            kind: "subgraph",
            read_keys: ["topic"],
            write_keys: ["answer"],
            config: { graph_id: "target", version: "8".repeat(64), inputs: { topic: "topic" }, outputs: { answer: "request.plan" } },
          },
          {
            id: "check",
            kind: "verifier",
            read_keys: ["answer"],
            write_keys: ["note"],
            config: { check: { type: "expression", expression: "false" }, on_fail: "fail" },
          },
        ],
        edges: [{ id: "worked", source: "inner", target: "check" }],
        start_node: "inner",
        end_nodes: ["check"],
      },
      [
        findChild("8", {
          nodes: [...UNDO.slice(0, 3), decline],
          edges: (UNDO_EDGES ?? []).slice(0, 2),
          start_node: "parse",
          end_nodes: ["write", "decline"],
        }),
      ],
    ),
    approvals: 2,
    ends: "failed",
  },
];
