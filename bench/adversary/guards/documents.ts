import type { GraphNode, MemoryKey } from "@/lib/graph/document";
import type { Json, JsonObject } from "@/lib/json";
import { askedOff, cleaned, graphOff, graphOffFor, nodesOff, nodesOffFor, stateOff, stateOffFor, type Guards } from "./guard";

const memoryOff = (change: (key: MemoryKey) => MemoryKey) =>
  graphOff((parts) => ({ ...parts, graph: { ...parts.graph, memory: parts.graph.memory.map(change) } }));

const MORE_KEYS = ["owner", "admin", "memory"];
const free = (node: GraphNode): GraphNode => ({ ...node, approval: "by_rule" });
const uncapped = <A extends object>(agent: A) => ({ ...agent, permissions: {} });

const GRANTS: Guards = {
  "read grants": graphOff((parts) => ({
    ...parts,
    agents: parts.agents.map(uncapped),
    graph: { ...parts.graph, nodes: parts.graph.nodes.map((node) => ({ ...node, read_keys: ["*"] })) },
  })),
  "write grants": nodesOff((node) => ({ ...node, write_keys: ["*"] })),
  "the agent's ceiling": graphOff((parts) => ({ ...parts, agents: parts.agents.map(uncapped) })),
  "declared keys only": graphOff((parts) => ({
    ...parts,
    agents: parts.agents.map((agent) => ({
      ...agent,
      permissions: { ...agent.permissions, write_keys: [...(agent.permissions.write_keys ?? []), ...MORE_KEYS] },
    })),
    graph: {
      ...parts.graph,
      memory: [
        ...parts.graph.memory,
        ...parts.graph.memory.slice(0, 1).flatMap((key) => MORE_KEYS.map((name) => ({ ...key, key: name, schema: {} }))),
      ],
      nodes: parts.graph.nodes.map((node) => ({ ...node, write_keys: [...node.write_keys, ...MORE_KEYS] })),
    },
  })),
  "key schemas": memoryOff((key) => ({ ...key, schema: {} })),
  "key bounds": memoryOff((key) => ({ ...key, max_bytes: 16_777_216, max_depth: 64 })),
  "protected keys": memoryOff((key) => ({ ...key, protected: false })),
  "no protected write in passing": graphOffFor(
    ({ kind }) => kind === "action",
    (parts) => ({
      ...parts,
      graph: {
        ...parts.graph,
        memory: parts.graph.memory.map((key) => ({ ...key, protected: false })),
        nodes: parts.graph.nodes.map(free),
      },
    }),
  ),
  "protected keys at the border of a subgraph": graphOffFor(
    ({ kind }) => kind === "ascend",
    (parts) => ({ ...parts, graph: { ...parts.graph, memory: parts.graph.memory.map((key) => ({ ...key, protected: false })) } }),
  ),
  "least integrity of a key": memoryOff((key) => ({ ...key, min_integrity: "untrusted" })),
  "approval of every write": nodesOff((node) => (node.kind === "tool" ? node : free(node))),
  "approval of every effect": nodesOff((node) => (node.kind === "tool" ? free(node) : node)),
};

const TOOLS: Guards = {
  "an approval node stands for its effect": nodesOff((node) => {
    if (node.kind !== "approval") return node;
    const { for_node: _none, ...config } = node.config;

    return { ...node, config };
  }),
  "an approval node cannot be walked through": nodesOffFor(
    (body) => body.kind === "node_result" && body.actions.length === 0,
    (node): GraphNode => (node.kind === "approval" ? { ...node, kind: "router", config: {} } : node),
  ),
  "tool grants": graphOff((parts) => ({ ...parts, agents: parts.agents.map((agent) => ({ ...agent, tools: [...parts.tools] })) })),
  "pinned argument schemas": graphOff((parts) => ({
    ...parts,
    tools: parts.tools.map((tool) => ({ ...tool, input_schema: { type: "object" } })),
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
  "effect classes": graphOff((parts) => ({
    ...parts,
    tools: parts.tools.map((tool) => ({ ...tool, effect: "read" })),
    graph: { ...parts.graph, nodes: parts.graph.nodes.map((node) => ({ ...node, effect: "read" })) },
  })),
  "a node's own effect class": nodesOff((node) => ({ ...node, effect: "pure" })),
  "a person before what a model chose": graphOff((parts) => ({
    ...parts,
    agents: parts.agents.map((agent) => ({ ...agent, tools: agent.tools.map((tool) => ({ ...tool, trusted: true as const })) })),
  })),
  "what cannot be undone": graphOff((parts) => ({
    ...parts,
    tools: parts.tools.map((tool) => (tool.effect === "irreversible" ? { ...tool, effect: "write" } : tool)),
  })),
  "what a tool is cleared for": graphOff((parts) => ({ ...parts, tools: parts.tools.map((tool) => ({ ...tool, clearance: "secret" })) })),
  "a person before what could leak": graphOff((parts) => ({ ...parts, tools: parts.tools.map((tool) => ({ ...tool, outward: false })) })),
  "answers are as confidential as their tool": graphOffFor(
    ({ kind }) => kind === "effect_outcome",
    (parts) => ({ ...parts, tools: parts.tools.map((tool) => ({ ...tool, output: "public" })) }),
  ),
  "answers are as confidential as where they go": nodesOffFor(
    ({ kind }) => kind === "effect_outcome",
    (node) => ({ ...node, write_keys: [] }),
  ),
  "unsafe calls are not repeated": stateOffFor("recover", (state) => ({
    effects: Object.fromEntries(Object.entries(state.effects).map(([id, effect]) => [id, { ...effect, idempotent: true }])),
  })),
  "undoing needs a yes": stateOffFor("undo", (state) => ({ aside: cleaned(state.aside) })),
};

const TAINT: Guards = {
  "strict taint": graphOff((parts) => ({ ...parts, graph: { ...parts.graph, strict_taint: false } })),
  "strict taint reaches into subgraphs": askedOff(({ published, state }) =>
    state.frames.length === 0 ? {} : { published: { ...published, graph: { ...published.graph, strict_taint: false } } },
  ),
  "labels of memory": stateOff((state) => ({ cells: cleaned(state.cells) })),
  "labels of results and threads": stateOff((state) => ({ aside: cleaned(state.aside) })),
  "labels of recalled facts": stateOff((state) => ({
    aside: state.aside.flatMap((cell) => (cell.path.startsWith("$recall.") ? cleaned([cell]) : [cell])),
  })),
  "labels of a map's items": stateOff((state, { body }) =>
    "task" in body && body.task?.startsWith("item.") ? { cells: cleaned(state.cells) } : {},
  ),
  "labels of what a judge judges": stateOff((state, { body }) =>
    "task" in body && /^(?:judge|score)/u.test(body.task ?? "") ? { cells: cleaned(state.cells), aside: cleaned(state.aside) } : {},
  ),
  "control labels": stateOff(() => ({ controls: [] })),
  "control labels inside a subgraph": stateOff((state) => (state.frames.length > 0 ? { controls: [] } : {})),
  "labels of the way into a subgraph": stateOffFor("node_result", (state) => ({
    cells: state.frames.length < 1 ? state.cells : cleaned(state.cells),
  })),
  "labels of the way out of a subgraph": stateOffFor("ascend", (state) => ({ cells: cleaned(state.cells), controls: [] })),
  "labels of choices": stateOffFor("node_result", (state) => ({
    cells: state.frames.length > 0 ? state.cells : cleaned(state.cells),
    aside: cleaned(state.aside),
  })),
  "labels of ways that a failure takes": askedOff(({ published, state, proposal }) =>
    proposal.body.kind === "node_failure"
      ? {
          state: { ...state, cells: cleaned(state.cells), aside: cleaned(state.aside) },
          published: {
            ...published,
            graph: {
              ...published.graph,
              nodes: published.graph.nodes.map((node): GraphNode => ({ ...node, kind: "router", config: {} })),
            },
          },
        }
      : {},
  ),
};

export const DOCUMENT_GUARDS: Guards = { ...GRANTS, ...TOOLS, ...TAINT };
