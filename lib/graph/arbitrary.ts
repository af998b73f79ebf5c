/** Generators of graph documents for property tests: well-formed, but as wrong as a builder can make them. */
import * as fc from "fast-check";
import { graphSchema, type Graph, type GraphEdge, type GraphInput, type GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";

const KEYS = ["request", "customer", "change", "secret"] as const;
const NODES = ["a", "b", "c", "d", "e", "f"] as const;

const key = fc.constantFrom(...KEYS, "undeclared");
const path = fc.oneof(
  key,
  fc.tuple(key, fc.constantFrom("name", "0", "plan")).map((parts) => parts.join(".")),
);
const grants = fc.uniqueArray(fc.oneof({ weight: 5, arbitrary: path }, { weight: 1, arbitrary: fc.constant("*") }), { maxLength: 4 });
const nodeId = fc.constantFrom(...NODES);

const expression = fc.oneof(
  path.map((text) => `memory.${text.replaceAll(".0", "[0]")} == "x"`),
  fc.constantFrom("true", "run.iteration_count < 3", "memory.", "unknown > 1", "[1].map(x, [2].map(y, x + y))"),
);

const agentId = fc.constantFrom("parser", "writer", "nobody");
const digest = fc.constantFrom("0", "1").map((digit) => digit.repeat(64));

const arguments_ = fc.dictionary(
  fc.constantFrom("plan", "other"),
  fc.oneof(
    path.map((from) => ({ from })),
    fc.constant({ value: 1 }),
    fc.constantFrom("", "plan").map((item) => ({ item })),
  ),
  { noNullPrototype: true },
);

const ofKind = <K extends string, C>(kind: K, config: fc.Arbitrary<C>) => fc.record({ kind: fc.constant(kind), config });

const config = fc.oneof(
  ofKind(
    "agent" as const,
    fc.record(
      {
        agent_id: agentId,
        write_to: path,
        swarm: fc.record({ peers: fc.array(nodeId, { minLength: 1, maxLength: 2 }) }),
        annealing: fc.record({ evaluator_id: agentId }, { requiredKeys: [] }),
        recall: fc.record({ topics: fc.array(fc.constant("plans"), { minLength: 1, maxLength: 1 }) }),
      },
      { requiredKeys: ["agent_id"] },
    ),
  ),
  ofKind(
    "tool" as const,
    fc.record({ server: fc.constantFrom("customers", "nowhere"), tool: fc.constantFrom("update_plan", "find"), arguments: arguments_ }),
  ),
  ofKind("router" as const, fc.constant({})),
  ofKind("transform" as const, fc.record({ set: fc.array(fc.record({ path, value: expression }), { minLength: 1, maxLength: 3 }) })),
  ofKind(
    "approval" as const,
    fc.record(
      {
        prompt: fc.constant("Allow it?"),
        review_keys: fc.array(path, { maxLength: 2 }),
        for_node: nodeId,
        rejection_node: nodeId,
        promote: fc.array(fc.record({ from: path, to: path }), { maxLength: 1 }),
      },
      { requiredKeys: ["prompt"] },
    ),
  ),
  ofKind("supervisor" as const, fc.record({ agent_id: agentId, managed_nodes: fc.array(nodeId, { minLength: 1, maxLength: 3 }) })),
  ofKind(
    "map" as const,
    fc.record(
      {
        worker_node: nodeId,
        items: fc.oneof(
          path.map((from) => ({ from })),
          fc.record({ value: fc.array(fc.integer(), { maxLength: 2 }) }),
        ),
        write_to: path,
        errors_to: path,
        synthesizer: fc.record({ agent_id: agentId }),
      },
      { requiredKeys: ["worker_node", "items"] },
    ),
  ),
  ofKind(
    "voting" as const,
    fc.record(
      {
        voters: fc.array(fc.record({ agent_id: agentId }), { minLength: 1, maxLength: 3 }),
        strategy: fc.constantFrom("majority" as const, "judge" as const),
        judge_id: agentId,
        quorum: fc.integer({ min: 1, max: 4 }),
        votes_to: path,
      },
      { requiredKeys: ["voters"] },
    ),
  ),
  ofKind(
    "evolution" as const,
    fc.record({
      candidate_id: agentId,
      fitness: fc.oneof(
        fc.constantFrom("item.score", "memory.", "item").map((text) => ({ expression: text })),
        agentId.map((id) => ({ agent_id: id })),
      ),
    }),
  ),
  ofKind(
    "verifier" as const,
    fc.record(
      {
        check: fc.oneof(
          expression.map((text) => ({ type: "expression" as const, expression: text })),
          path.map((at) => ({ type: "schema" as const, key: at, schema: { type: "string" } })),
          fc.record({ type: fc.constant("judge" as const), agent_id: agentId, key: path }),
        ),
        on_fail: fc.constantFrom("record" as const, "fail" as const),
        write_to: path,
      },
      { requiredKeys: ["check"] },
    ),
  ),
  ofKind("synthesizer" as const, fc.record({ agent_id: agentId, write_to: path }, { requiredKeys: [] })),
  ofKind(
    "reflection" as const,
    fc.record(
      {
        topic: fc.constant("plans"),
        extractor: fc.oneof(
          agentId.map((id) => ({ type: "agent" as const, agent_id: id })),
          fc.constant({ type: "rules" as const }),
        ),
        write_to: path,
      },
      { requiredKeys: ["topic"] },
    ),
  ),
  ofKind(
    "subgraph" as const,
    fc.record(
      {
        graph_id: fc.constantFrom("child", "any"),
        version: digest,
        inputs: fc.dictionary(key, path, { noNullPrototype: true, maxKeys: 2 }),
        outputs: fc.dictionary(path, path, { noNullPrototype: true, maxKeys: 2 }),
      },
      { requiredKeys: ["graph_id"] },
    ),
  ),
);

const compensation = fc.record({ server: fc.constantFrom("customers", "nowhere"), tool: fc.constant("update_plan") });

const node = fc
  .tuple(
    fc.record(
      {
        id: nodeId,
        read_keys: grants,
        write_keys: grants,
        effect: fc.constantFrom("pure" as const, "read" as const, "write" as const, "irreversible" as const),
        approval: fc.constantFrom("by_rule" as const, "always" as const),
        budget: fc.record({ max_tokens: fc.integer({ min: 0, max: 1_000 }) }),
        compensation,
      },
      { requiredKeys: ["id", "read_keys", "write_keys", "effect"] },
    ),
    config,
  )
  .map(([base, kind]): GraphInput["nodes"][number] => ({ ...base, ...kind }));

const edge = fc.record(
  {
    id: fc.stringMatching(/^e[0-9]{1,2}$/),
    source: nodeId,
    target: nodeId,
    kind: fc.constantFrom("normal" as const, "default" as const, "error" as const, "timeout" as const),
    condition: expression,
  },
  { requiredKeys: ["id", "source", "target"] },
);

const memory = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom(...KEYS),
    schema: fc.constantFrom({}, { type: "string" }, { type: "nonsense" }),
    classification: fc.constantFrom("public" as const, "internal" as const, "secret" as const),
    protected: fc.boolean(),
    min_integrity: fc.constantFrom("untrusted" as const, "trusted" as const),
  }),
  { selector: (item) => item.key, maxLength: 4 },
);

/** Any document that the schema accepts: ids may clash or dangle, expressions may not compile. */
export const arbitraryGraph: fc.Arbitrary<Graph> = fc
  .record({
    nodes: fc.array(node, { maxLength: 8 }),
    edges: fc.array(edge, { maxLength: 12 }),
    memory,
    start_node: nodeId,
    end_nodes: fc.array(nodeId, { maxLength: 3 }),
    strict_taint: fc.boolean(),
  })
  .map((parts) => graphSchema.parse({ format: "countersign/graph/v1", id: "any", name: "Any", ...parts }));

const firstOf = <T extends GraphNode | GraphEdge>(items: readonly T[]): T[] =>
  items.filter((item, index) => items.findIndex((other) => other.id === item.id) === index);

/** A graph in which ids are unique and edges join what is there, as the canvas keeps it. */
export const consistentGraph: fc.Arbitrary<Graph> = arbitraryGraph.map((graph) => {
  const nodes = firstOf(graph.nodes);
  const ids = new Set(nodes.map((item) => item.id));

  return {
    ...graph,
    nodes,
    edges: firstOf(graph.edges).filter((item) => ids.has(item.source) && ids.has(item.target)),
    end_nodes: [...new Set(graph.end_nodes)].filter((id) => ids.has(id)),
  };
});

const point = fc.record({ x: fc.integer({ min: -5_000, max: 5_000 }), y: fc.integer({ min: -5_000, max: 5_000 }) });
const wholeNode = arbitraryGraph.map((graph) => graph.nodes[0]).filter((found) => found !== undefined);
const wholeEdge = arbitraryGraph.map((graph) => graph.edges[0]).filter((found) => found !== undefined);
const wholeKey = arbitraryGraph.map((graph) => graph.memory[0]).filter((found) => found !== undefined);

/** Any change, also of things that are not there. */
export const arbitraryEdit: fc.Arbitrary<EditOperation> = fc.oneof(
  wholeNode.map((item): EditOperation => ({ op: "add_node", node: item })),
  wholeNode.map((item): EditOperation => ({ op: "replace_node", node: item })),
  fc.tuple(nodeId, fc.constantFrom("fresh", ...NODES)).map(([from, to]): EditOperation => ({ op: "rename_node", node: from, to })),
  fc.tuple(nodeId, fc.boolean()).map(([id, rejoin]): EditOperation => ({ op: "remove_node", node: id, rejoin })),
  fc.tuple(nodeId, wholeNode).map(([before, item]): EditOperation => ({ op: "insert_before", before, node: { ...item, id: "inserted" } })),
  fc.dictionary(nodeId, point, { noNullPrototype: true }).map((positions): EditOperation => ({ op: "move_nodes", positions })),
  wholeEdge.map((item): EditOperation => ({ op: "add_edge", edge: item })),
  wholeEdge.map((item): EditOperation => ({ op: "replace_edge", edge: item })),
  wholeEdge.map((item): EditOperation => ({ op: "remove_edge", edge: item.id })),
  fc
    .tuple(wholeEdge, fc.constantFrom(-1 as const, 1 as const))
    .map(([item, by]): EditOperation => ({ op: "move_edge", edge: item.id, by })),
  wholeKey.map((item): EditOperation => ({ op: "set_memory_key", key: item })),
  key.map((name): EditOperation => ({ op: "remove_memory_key", key: name })),
  fc.integer({ min: 1, max: 100 }).map((steps): EditOperation => ({ op: "settings", settings: { max_iterations: steps } })),
);
