/** Large graphs from a seed, identical on every machine. */
import { agentSchema, graphSchema, pinnedToolSchema, type Graph, type GraphInput } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

type NodeInput = GraphInput["nodes"][number];
type EdgeInput = GraphInput["edges"][number];

export type LargeSize = { readonly seed: number; readonly nodes: number; readonly edges: number };

const ROWS = 10;
const COLUMN_PX = 300;
const ROW_PX = 130;
const KEYS = 120;
const AGENTS = ["large_parser", "large_planner", "large_writer"] as const;

export const LARGE_AGENTS = AGENTS.map((id) => agentSchema.parse({ id, name: id }));

const pinned = (tool: string, effect: "read" | "write") =>
  pinnedToolSchema.parse({
    server: "customers",
    tool,
    definition_digest: "0".repeat(64),
    description: "",
    input_schema: {},
    effect,
    idempotent: false,
    outward: false,
    clearance: "pii",
  });

export const LARGE_CONTEXT: ValidationContext = {
  agents: LARGE_AGENTS,
  tools: [pinned("find_customer", "read"), pinned("update_plan", "write")],
  versions: [],
};

/** Mulberry32. */
const numbersOf = (seed: number) => {
  let state = seed >>> 0;

  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);

    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
};

type Below = ReturnType<typeof numbersOf>;

const keyAt = (index: number) => `key_${index % KEYS}`;
const idAt = (index: number) => `step_${index}`;

const readsOf = (before: readonly NodeInput[], below: Below): string[] => {
  const row = before.filter((_, index) => (before.length - index) % ROWS === 0);
  const written = row.flatMap((node) => node.write_keys ?? []).toReversed();

  return [...new Set([written[below(2)] ?? keyAt(0), written[below(5)] ?? keyAt(0)])];
};

const nodeAt = (index: number, before: readonly NodeInput[], below: Below): NodeInput => {
  const reads = readsOf(before, below);
  const [from = keyAt(0), other = from] = reads;
  const to = keyAt(index);
  const base = {
    id: idAt(index),
    title: `Step ${index}`,
    position: { x: Math.floor(index / ROWS) * COLUMN_PX, y: (index % ROWS) * ROW_PX },
  };
  const agentId = AGENTS[below(AGENTS.length)] ?? AGENTS[0];
  const kind = below(20);
  if (kind < 9)
    return {
      ...base,
      kind: "agent",
      read_keys: reads,
      write_keys: [to],
      config: { agent_id: agentId, instructions: `Go on from ${from}.` },
    };
  if (kind < 12) {
    const config = { server: "customers", tool: "find_customer", arguments: { email: { from } } };

    return { ...base, kind: "tool", read_keys: [from], write_keys: [to], effect: "read", config };
  }
  if (kind < 13) {
    const config = { server: "customers", tool: "update_plan", arguments: { plan: { from } } };

    return { ...base, kind: "tool", read_keys: [from], write_keys: [to], effect: "write", config };
  }
  if (kind < 15) return { ...base, kind: "router", read_keys: reads, config: {} };
  if (kind < 17)
    return {
      ...base,
      kind: "transform",
      read_keys: reads,
      write_keys: [to],
      config: { set: [{ path: to, value: `memory.${from} == "" ? memory.${other} : memory.${from}` }] },
    };
  if (kind < 18) return { ...base, kind: "approval", read_keys: [from], config: { prompt: `Go on with ${from}?`, review_keys: [from] } };
  if (kind < 19) return { ...base, kind: "synthesizer", read_keys: reads, write_keys: [to], config: { merge: "object" } };

  return {
    ...base,
    kind: "verifier",
    read_keys: [from],
    write_keys: [to],
    config: { check: { type: "expression", expression: `memory.${from} != ""` } },
  };
};

/** Other edges are short, some backward. */
const edgesOf = (nodes: readonly NodeInput[], count: number, below: Below): EdgeInput[] => {
  const first = nodes.slice(1).map((node, index) => ({ source: idAt(Math.max(0, index + 1 - ROWS)), target: node.id }));
  const more = Array.from({ length: Math.max(0, count - first.length) }, () => {
    const from = below(nodes.length);
    const isBack = below(20) === 0;
    const to = isBack ? Math.max(0, from - 1 - below(2 * ROWS)) : Math.min(nodes.length - 1, from + 1 + below(3 * ROWS));

    return { source: idAt(from), target: idAt(to) };
  });
  const reads = new Map(nodes.map((node) => [node.id, node.read_keys?.[0] ?? keyAt(0)]));
  const seen = new Map<string, number>();

  return [...more, ...first].map(({ source, target }, index): EdgeInput => {
    const nth = seen.get(source) ?? 0;
    seen.set(source, nth + 1);
    const isLast = index >= more.length;

    return isLast
      ? { id: `way_${index}`, source, target, ...(nth > 0 ? { kind: "default" as const } : {}) }
      : {
          id: `way_${index}`,
          source,
          target,
          condition: `memory.${reads.get(source) ?? keyAt(0)} == "choice ${nth}" && run.iteration_count < 40`,
        };
  });
};

/** Generates a graph of many kinds and problem codes. */
export const largeGraph = ({ seed, nodes: count, edges }: LargeSize): Graph => {
  const below = numbersOf(seed);
  const nodes: NodeInput[] = [];
  while (nodes.length < count) nodes.push(nodeAt(nodes.length, nodes, below));
  const memory = Array.from({ length: KEYS }, (_, index) => ({
    key: keyAt(index),
    schema: { type: "string" },
    protected: index % 40 === 0,
  }));

  return graphSchema.parse({
    format: "countersign/graph/v1",
    id: `large_${count}`,
    name: `Large graph of ${count} nodes`,
    inputs: { type: "object", properties: { [keyAt(0)]: { type: "string" } }, additionalProperties: false },
    memory,
    nodes,
    edges: edgesOf(nodes, edges, below),
    start_node: idAt(0),
    end_nodes: nodes.slice(-ROWS).map((node) => node.id),
    max_iterations: 10_000,
  });
};
