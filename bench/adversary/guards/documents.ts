/** Guards that are written into the graph, its agents and its pinned tools. */
import { CLEAN } from "@/lib/graph/label";
import type { GraphNode, MemoryKey } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import { askedOff, graphOff, nodesOff, stateOff, type Guards } from "./guard";

const memoryOff = (change: (key: MemoryKey) => MemoryKey) =>
  graphOff((published) => ({ ...published, graph: { ...published.graph, memory: published.graph.memory.map(change) } }));

const MORE_KEYS = ["owner", "admin", "memory"];

const free = (node: GraphNode): GraphNode => ({ ...node, approval: "by_rule" });

export const DOCUMENT_GUARDS: Guards = {
  "read grants": graphOff((published) => ({
    ...published,
    agents: published.agents.map((agent) => ({ ...agent, permissions: {} })),
    graph: { ...published.graph, nodes: published.graph.nodes.map((node) => ({ ...node, read_keys: ["*"] })) },
  })),
  "write grants": nodesOff((node) => ({ ...node, write_keys: ["*"] })),
  "the agent's ceiling": graphOff((published) => ({
    ...published,
    agents: published.agents.map((agent) => ({ ...agent, permissions: {} })),
  })),
  "declared keys only": graphOff((published) => ({
    ...published,
    agents: published.agents.map((agent) => ({
      ...agent,
      permissions: { ...agent.permissions, write_keys: [...(agent.permissions.write_keys ?? []), ...MORE_KEYS] },
    })),
    graph: {
      ...published.graph,
      memory: [
        ...published.graph.memory,
        ...published.graph.memory.slice(0, 1).flatMap((key) => MORE_KEYS.map((name) => ({ ...key, key: name, schema: {} }))),
      ],
      nodes: published.graph.nodes.map((node) => ({ ...node, write_keys: [...node.write_keys, ...MORE_KEYS] })),
    },
  })),
  "key schemas": memoryOff((key) => ({ ...key, schema: {} })),
  "key bounds": memoryOff((key) => ({ ...key, max_bytes: 16_777_216, max_depth: 64 })),
  "protected keys": memoryOff((key) => ({ ...key, protected: false })),
  "least integrity of a key": memoryOff((key) => ({ ...key, min_integrity: "untrusted" })),
  "approval of every write": nodesOff((node) => (node.kind === "tool" ? node : free(node))),
  "approval of every effect": nodesOff((node) => (node.kind === "tool" ? free(node) : node)),
  "an approval node stands for its effect": nodesOff((node) => {
    if (node.kind !== "approval") return node;
    const { for_node: _none, ...config } = node.config;

    return { ...node, config };
  }),
  "an approval node cannot be walked through": askedOff(({ published, proposal }) => {
    if (proposal.body.kind !== "node_result" || proposal.body.actions.length > 0) return {};
    const nodes = published.graph.nodes.map((node): GraphNode =>
      node.kind === "approval" ? { ...node, kind: "router", config: {} } : node,
    );

    return { published: { ...published, graph: { ...published.graph, nodes } } };
  }),
  "tool grants": graphOff((published) => ({
    ...published,
    agents: published.agents.map((agent) => ({ ...agent, tools: [...published.tools] })),
  })),
  "pinned argument schemas": graphOff((published) => ({
    ...published,
    tools: published.tools.map((tool) => ({ ...tool, input_schema: { type: "object" } })),
  })),
  "a tool node's arguments": askedOff(({ published, proposal: { body } }) => {
    if (body.kind !== "effect_intent" || typeof body.arguments !== "object" || body.arguments === null) return {};
    const said = Object.fromEntries(
      Object.entries(body.arguments as JsonObject).map(([name, value]): [string, { value: Json }] => [name, { value }]),
    );
    const nodes = published.graph.nodes.map((node) =>
      node.kind === "tool" ? { ...node, config: { ...node.config, arguments: said } } : node,
    );

    return { published: { ...published, graph: { ...published.graph, nodes } } };
  }),
  "effect classes": graphOff((published) => ({
    ...published,
    tools: published.tools.map((tool) => ({ ...tool, effect: "read" })),
    graph: { ...published.graph, nodes: published.graph.nodes.map((node) => ({ ...node, effect: "read" })) },
  })),
  "what cannot be undone": graphOff((published) => ({
    ...published,
    tools: published.tools.map((tool) => (tool.effect === "irreversible" ? { ...tool, effect: "write" } : tool)),
  })),
  "strict taint": graphOff((published) => ({ ...published, graph: { ...published.graph, strict_taint: false } })),
  "labels of memory": stateOff((state) => ({
    cells: state.cells.map((cell) => ({ ...cell, label: CLEAN })),
  })),
  "labels of results and threads": stateOff((state) => ({ aside: state.aside.map((cell) => ({ ...cell, label: CLEAN })) })),
  "control labels": stateOff(() => ({ controlLabel: CLEAN })),
};
