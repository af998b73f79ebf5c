import { agentSchema } from "@/lib/graph/document";
import { PARTS, publish, type Nodes, type Scenario } from "./building-blocks";

const { fetch, decline, rescue } = PARTS;

const fill = {
  id: "fill",
  kind: "extract",
  read_keys: ["mail"],
  write_keys: ["request"],
  config: {
    agent_id: "parser",
    from: "mail",
    fields: [
      { name: "plan", value: { type: "text", max_length: 20 } },
      { name: "credit", required: false, value: { type: "integer", min: 0, max: 1_000 } },
    ],
  },
} as const satisfies Nodes[number];

const look = (people: boolean) =>
  ({
    id: "look",
    kind: "review",
    read_keys: ["request"],
    config: {
      target: "request",
      reviewers: [
        { type: "agent", agent_id: "reader" },
        people ? { type: "person", role: "reviewer", count: 1 } : { type: "agent", agent_id: "other" },
      ],
      quorum: 2,
      rework: { node: "fill", limit: 1 },
    },
  }) satisfies Nodes[number];

const weigh = {
  id: "weigh",
  kind: "judge",
  read_keys: ["request"],
  write_keys: ["checked"],
  config: {
    review: "look",
    from: "request",
    to: "checked",
    rules: [
      { field: "plan", rule: { type: "enum", values: ["team"] } },
      { field: "credit", rule: { type: "range", min: 0, max: 0 } },
    ],
    rejection_node: "decline",
  },
} as const satisfies Nodes[number];

const zone = (people: boolean, more: object = {}) => {
  const published = publish({
    nodes: [fetch, fill, look(people), weigh, decline, rescue],
    edges: [
      { id: "fetched", source: "fetch", target: "fill" },
      { id: "filled", source: "fill", target: "look" },
      { id: "looked", source: "look", target: "weigh" },
      { id: "weighed", source: "weigh", target: "rescue" },
      { id: "failed", source: "fill", target: "rescue", kind: "error" },
    ],
    start_node: "fetch",
    end_nodes: ["decline", "rescue"],
    ...more,
  });
  const readers = [
    ["reader", "one:alpha"],
    ["other", "two:beta"],
  ].map(([id, model]) => agentSchema.parse({ id, name: id, model }));

  return { ...published, agents: [...published.agents, ...readers] };
};

export const ZONES: readonly Scenario[] = [
  { name: "review by a person", published: zone(true), approvals: 1 },
  { name: "review by models", published: zone(false), approvals: 0 },
  { name: "isolated review", published: zone(true, { isolate_untrusted: true }), approvals: 1 },
];
