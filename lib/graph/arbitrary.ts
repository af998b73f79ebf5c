import * as fc from "fast-check";
import { graphSchema, type Graph, type GraphEdge, type GraphInput, type GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { agentId, config, expression, field, grants, key, KEYS, nodeId, NODES, path } from "@/lib/graph/testing/any-config";

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
        action: fc.record({ inputs: fc.array(fc.record({ name: field, path }), { maxLength: 2 }) }),
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

const verification = fc.record({
  checks: fc.array(fc.record({ id: fc.constantFrom("quality" as const, "security" as const), agent_id: agentId }), { maxLength: 2 }),
});

/** Any schema-valid document; ids may clash, expressions may not compile. */
export const arbitraryGraph: fc.Arbitrary<Graph> = fc
  .record(
    {
      nodes: fc.array(node, { maxLength: 8 }),
      edges: fc.array(edge, { maxLength: 12 }),
      memory,
      start_node: nodeId,
      end_nodes: fc.array(nodeId, { maxLength: 3 }),
      strict_taint: fc.boolean(),
      isolate_untrusted: fc.boolean(),
      verification,
      external: fc.record({ read_keys: grants }),
    },
    { requiredKeys: ["nodes", "edges", "memory", "start_node", "end_nodes", "strict_taint", "isolate_untrusted"] },
  )
  .map((parts) => graphSchema.parse({ format: "countersign/graph/v1", id: "any", name: "Any", ...parts }));

const firstOf = <T extends GraphNode | GraphEdge>(items: readonly T[]): T[] =>
  items.filter((item, index) => items.findIndex((other) => other.id === item.id) === index);

/** Unique ids and no dangling edges. */
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

/** Any edit, also of absent subjects. */
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
