import { PARTS, publish, type Edges, type Nodes, type Scenario } from "./building-blocks";

const { fetch, parse, write, decline, rescue } = PARTS;
const ITEMS = { items: ["one", "two"] };

const around = (node: Nodes[number], more: Partial<Parameters<typeof publish>[0]> = {}) =>
  publish({
    nodes: [fetch, node, decline, rescue],
    edges: [
      { id: "fetched", source: "fetch", target: node.id },
      { id: "failed", source: node.id, target: "rescue", kind: "error" },
      { id: "free", source: node.id, target: "decline", condition: 'memory.answer == "free"' },
      { id: "done", source: node.id, target: "rescue", kind: "default" },
    ],
    start_node: "fetch",
    end_nodes: ["decline", "rescue"],
    ...more,
  });

const voting = {
  id: "vote",
  kind: "voting",
  read_keys: ["mail", "salary"],
  write_keys: ["answer", "list", "verdict"],
  budget: { max_tokens: 700 },
  config: {
    voters: [{ agent_id: "helper" }, { agent_id: "helper" }, { agent_id: "parser" }],
    options: ["team", "free"],
    strategy: "judge",
    judge_id: "judge",
    write_to: "answer",
    votes_to: "list",
  },
} as const satisfies Nodes[number];

const verifier = {
  id: "verify",
  kind: "verifier",
  read_keys: ["mail", "topic"],
  write_keys: ["answer", "verdict"],
  config: { check: { type: "judge", agent_id: "judge", key: "mail" }, write_to: "answer" },
} as const satisfies Nodes[number];

const evolution = {
  id: "evolve",
  kind: "evolution",
  read_keys: ["mail"],
  write_keys: ["answer", "note", "verdict"],
  budget: { max_tokens: 900, max_cost_usd: 0.0009 },
  config: {
    candidate_id: "helper",
    fitness: { agent_id: "judge" },
    population_size: 2,
    max_generations: 2,
    write_to: "answer",
    report_to: "note",
  },
} as const satisfies Nodes[number];

const synthesizer = {
  id: "merge",
  kind: "synthesizer",
  read_keys: ["mail", "topic", "salary"],
  write_keys: ["answer", "verdict"],
  config: { agent_id: "helper", write_to: "answer" },
} as const satisfies Nodes[number];

const annealing = {
  id: "anneal",
  kind: "agent",
  read_keys: ["mail", "topic"],
  write_keys: ["answer", "verdict"],
  config: { agent_id: "helper", write_to: "answer", annealing: { evaluator_id: "judge", max_iterations: 2 } },
} as const satisfies Nodes[number];

const MEMORY_NODES: Nodes = [
  fetch,
  {
    id: "reflect",
    kind: "reflection",
    read_keys: ["mail"],
    write_keys: ["list", "verdict"],
    config: { topic: "habits", write_to: "list" },
  },
  {
    id: "recall",
    kind: "agent",
    read_keys: ["topic"],
    write_keys: ["answer", "verdict"],
    config: { agent_id: "helper", write_to: "answer", recall: { topics: ["habits"], limit: 2 } },
  },
];

const SPREAD: Nodes = [
  {
    id: "spread",
    kind: "map",
    read_keys: ["items"],
    write_keys: ["list", "answer", "verdict"],
    config: {
      worker_node: "one",
      items: { from: "items" },
      write_to: "answer",
      errors_to: "list",
      max_items: 9,
      synthesizer: { agent_id: "helper" },
    },
  },
  { ...parse, id: "one", write_keys: [], failure_policy: { attempts: 2 } },
  rescue,
];

const EACH: Nodes = [
  {
    id: "look",
    kind: "map",
    read_keys: ["items"],
    write_keys: ["list", "verdict"],
    config: { worker_node: "look_up", items: { from: "items" }, write_to: "list" },
  },
  {
    id: "look_up",
    kind: "tool",
    effect: "read",
    config: { server: "docs", tool: "read", arguments: { topic: { item: "" } } },
  },
  {
    id: "put",
    kind: "map",
    read_keys: ["list"],
    write_keys: ["answer"],
    config: { worker_node: "put_one", items: { from: "list" }, write_to: "answer" },
  },
  {
    id: "put_one",
    kind: "tool",
    effect: "write",
    config: { server: "crm", tool: "update", arguments: { plan: { item: "plan" } } },
  },
];

/** Only the worker's rule demands an approval. */
const ASKED: Nodes = [
  {
    id: "put",
    kind: "map",
    read_keys: ["items"],
    write_keys: ["answer"],
    config: { worker_node: "put_one", items: { from: "items" }, write_to: "answer" },
  },
  {
    id: "put_one",
    kind: "tool",
    effect: "write",
    approval: "always",
    config: { server: "crm", tool: "update", arguments: { plan: { item: "" } } },
  },
];

const EACH_EDGES: Edges = [{ id: "looked", source: "look", target: "put" }];

const STRICT_ANSWER: Edges = [
  { id: "fetched", source: "fetch", target: "vote" },
  { id: "free", source: "vote", target: "decline", condition: 'memory.answer == "free"' },
  { id: "voted", source: "vote", target: "rescue", kind: "default" },
];

export const KINDS: readonly Scenario[] = [
  {
    name: "map over an agent",
    published: publish({
      nodes: SPREAD,
      edges: [{ id: "spread_failed", source: "spread", target: "rescue", kind: "error" }],
      start_node: "spread",
      end_nodes: ["spread", "rescue"],
    }),
    approvals: 0,
    inputs: ITEMS,
  },
  {
    name: "map over tools",
    published: publish({ nodes: EACH, edges: EACH_EDGES, start_node: "look", end_nodes: ["put"] }),
    approvals: 2,
    inputs: ITEMS,
  },
  {
    name: "map that asks",
    published: publish({ nodes: ASKED, edges: [], start_node: "put", end_nodes: ["put"] }),
    approvals: 2,
    inputs: ITEMS,
  },
  { name: "voting", published: around(voting), approvals: 0 },
  { name: "strict voting", published: around(voting, { strict_taint: true, edges: STRICT_ANSWER }), approvals: 1 },
  { name: "evolution", published: around(evolution), approvals: 0 },
  { name: "verifier", published: around(verifier), approvals: 0 },
  { name: "strict verifier", published: around(verifier, { strict_taint: true }), approvals: 1 },
  { name: "synthesizer", published: around(synthesizer), approvals: 0 },
  { name: "annealing", published: around(annealing), approvals: 0 },
  {
    name: "memory of earlier runs",
    published: publish({
      nodes: MEMORY_NODES,
      edges: [
        { id: "fetched", source: "fetch", target: "reflect" },
        { id: "kept", source: "reflect", target: "recall" },
      ],
      start_node: "fetch",
      end_nodes: ["recall"],
    }),
    approvals: 0,
  },
  {
    name: "recall alone",
    published: publish({ nodes: MEMORY_NODES.slice(2), edges: [], start_node: "recall", end_nodes: ["recall"] }),
    approvals: 0,
  },
  {
    name: "promotion",
    published: publish({
      nodes: [
        fetch,
        parse,
        {
          id: "raise",
          kind: "approval",
          read_keys: ["request"],
          write_keys: ["checked"],
          config: { prompt: "Is it so?", promote: [{ from: "request", to: "checked" }], rejection_node: "decline" },
        },
        { ...write, read_keys: ["checked"], config: { ...write.config, arguments: { plan: { from: "checked.plan" } } } },
        { ...parse, id: "late", read_keys: ["topic"] },
        decline,
      ],
      edges: [
        { id: "fetched", source: "fetch", target: "parse" },
        { id: "parsed", source: "parse", target: "raise" },
        { id: "raised", source: "raise", target: "write" },
        { id: "written", source: "write", target: "late", condition: "memory.checked.plan == 'again'" },
      ],
      start_node: "fetch",
      end_nodes: ["write", "late", "decline"],
    }),
    approvals: 2,
  },
  {
    name: "payroll alone",
    published: publish({
      nodes: [
        {
          id: "payroll",
          kind: "agent",
          read_keys: ["pay"],
          write_keys: ["answer", "note", "verdict"],
          config: { agent_id: "payroll", write_to: "answer" },
        },
      ],
      edges: [],
      start_node: "payroll",
      end_nodes: ["payroll"],
    }),
    approvals: 0,
  },
  {
    name: "payroll",
    published: publish({
      nodes: [
        fetch,
        {
          id: "payroll",
          kind: "agent",
          read_keys: ["pay", "mail"],
          write_keys: ["answer", "note", "verdict"],
          config: { agent_id: "payroll", write_to: "answer" },
        },
        // By the graph, whatever the tool's label.
        {
          id: "hr",
          kind: "tool",
          effect: "irreversible",
          write_keys: ["salary"],
          config: { server: "docs", tool: "read", arguments: { topic: { value: "plans" } } },
        },
        rescue,
      ],
      edges: [
        { id: "fetched", source: "fetch", target: "payroll" },
        { id: "paid", source: "payroll", target: "hr" },
        { id: "hr_failed", source: "hr", target: "rescue", kind: "error" },
      ],
      start_node: "fetch",
      end_nodes: ["hr", "rescue"],
    }),
    approvals: 1,
  },
];
