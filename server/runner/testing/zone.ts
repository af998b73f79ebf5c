import { agentSchema, graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { publishAs, startRun, type Desk } from "@/server/runner/testing/desk";

const NODES: GraphInput["nodes"] = [
  {
    id: "read_mail",
    kind: "tool",
    read_keys: ["mail_file"],
    write_keys: ["mail"],
    effect: "read",
    config: { server: "filesystem", tool: "read_text_file", arguments: { path: { from: "mail_file" } } },
  },
  {
    id: "extract",
    kind: "extract",
    read_keys: ["mail"],
    write_keys: ["form"],
    config: { agent_id: "clerk", from: "mail", fields: [{ name: "plan", value: { type: "enum", values: ["team", "starter"] } }] },
  },
  {
    id: "review",
    kind: "review",
    read_keys: ["mail", "form"],
    config: {
      target: "form",
      source: "mail",
      reviewers: [{ type: "agent", agent_id: "first" }, { type: "agent", agent_id: "second" }, { type: "person" }],
      quorum: 3,
    },
  },
  {
    id: "judge",
    kind: "judge",
    read_keys: ["form"],
    write_keys: ["good"],
    config: { review: "review", from: "form", to: "good", rules: [{ field: "plan", rule: { type: "enum", values: ["team", "starter"] } }] },
  },
];

const ZONE: GraphInput = {
  format: "countersign/graph/v1",
  id: "zone",
  name: "Zone",
  inputs: { type: "object", properties: { mail_file: { type: "string" } }, required: ["mail_file"], additionalProperties: false },
  memory: [
    { key: "mail_file", schema: { type: "string" } },
    { key: "mail", schema: {} },
    { key: "form", schema: {} },
    { key: "good", schema: {}, min_integrity: "reviewed" },
  ],
  nodes: NODES,
  edges: [
    { id: "a", source: "read_mail", target: "extract" },
    { id: "b", source: "extract", target: "review" },
    { id: "c", source: "review", target: "judge" },
  ],
  start_node: "read_mail",
  end_nodes: ["judge"],
};

const agent = (id: string, model: string) => agentSchema.parse({ id, name: id, model });

export const zoneDesk = async (desk: Desk): Promise<Desk> => {
  const published: PublishedGraph = {
    graph: graphSchema.parse(ZONE),
    agents: [agent("clerk", "default"), agent("first", "scripted-b:honest"), agent("second", "scripted-c:honest")],
    tools: [...desk.published.tools],
    subgraphs: [],
  };

  return { ...desk, published, graphHash: await publishAs(desk, published, desk.people.builder) };
};

export const startZone = (desk: Desk): Promise<string> => startRun(desk, "honest", "01-upgrade.txt", desk.graphHash);
