/** Agents exist, tools are pinned and active, arguments fit. */
import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { isGranted } from "@/lib/graph/path";
import { listAgentIds } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { isJsonObject, type Json } from "@/lib/json";
import { listCallingAgentIds } from "@/lib/graph/facts/acting";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { UNASSIGNED } from "@/lib/graph/wiring";
import { describeUnavailable } from "./standing";
import { createProblem, type Fix, type Problem } from "./problem";

const textItems = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((item: Json) => (typeof item === "string" ? [item] : [])) : [];

type Call = { readonly server: string; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

const withArguments = (node: GraphNode, call: Call, change: <T>(given: Readonly<Record<string, T>>) => Record<string, T>): GraphNode => {
  if (callsTool(node) && node.config === call) return { ...node, config: { ...node.config, arguments: change(node.config.arguments) } };

  return node.compensation ? { ...node, compensation: { ...node.compensation, arguments: change(node.compensation.arguments) } } : node;
};

const giveFix = (facts: Facts, node: GraphNode, name: string): Fix | undefined => {
  if (!callsTool(node) || !facts.keys.has(name)) return undefined;
  const { arguments: given } = node.config;
  const read_keys = isGranted(node.read_keys, [name]) ? node.read_keys : [...node.read_keys, name];

  return {
    title: `Use memory key ${name}`,
    edits: [
      { op: "replace_node", node: { ...node, read_keys, config: { ...node.config, arguments: { ...given, [name]: { from: name } } } } },
    ],
  };
};

const dropFix = (node: GraphNode, call: Call, name: string): Fix => ({
  title: `Remove ${name}`,
  edits: [
    {
      op: "replace_node",
      node: withArguments(node, call, (given) => Object.fromEntries(Object.entries(given).filter(([other]) => other !== name))),
    },
  ],
});

const argumentProblems = (facts: Facts, node: GraphNode, call: Call, pinned: PinnedTool): Problem[] => {
  const given = Object.keys(call.arguments);
  const give = (name: string) => (call === node.config ? giveFix(facts, node, name) : undefined);
  const drop = (name: string) => dropFix(node, call, name);
  const properties: Json | undefined = pinned.input_schema["properties"];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const missing = textItems(pinned.input_schema["required"]).filter((name) => !given.includes(name));
  const extra = pinned.input_schema["additionalProperties"] === false ? given.filter((name) => !known.includes(name)) : [];
  const at = (name: string) => ({ node: node.id, key: `${getToolId(pinned.server, pinned.tool)}.${name}` });

  return [
    ...missing.map((name) => createProblem("argument_missing", at(name), `${pinned.tool} requires the argument ${name}.`, give(name))),
    ...extra.map((name) => createProblem("argument_unknown", at(name), `${pinned.tool} has no argument ${name}.`, drop(name))),
  ];
};

const call = (facts: Facts, node: GraphNode, worded: Call): Problem[] => {
  const { server, tool } = worded;
  const pinned = facts.tools.get(getToolId(server, tool));
  if (pinned) return argumentProblems(facts, node, worded, pinned);

  const what = tool === UNASSIGNED ? `${getNodeName(node)} has no tool yet. Choose one.` : describeUnavailable(facts, server, tool);

  return [createProblem("tool_unavailable", { node: node.id }, what)];
};

const agents = (facts: Facts, node: GraphNode): Problem[] =>
  listAgentIds(node)
    .filter((id) => !facts.agents.has(id))
    .map((id) =>
      createProblem(
        "agent_unknown",
        { node: node.id, key: id },
        id === UNASSIGNED ? `${getNodeName(node)} has no agent yet. Choose one or create it.` : `Agent ${id} does not exist.`,
      ),
    );

const agentTools = (facts: Facts, node: GraphNode): Problem[] =>
  listCallingAgentIds(node)
    .flatMap((id) => facts.agents.get(id) ?? [])
    .flatMap((agent) =>
      agent.tools
        .filter((granted) => !facts.tools.has(getToolId(granted.server, granted.tool)))
        .map((granted) =>
          createProblem(
            "tool_unavailable",
            { node: node.id, key: getToolId(granted.server, granted.tool) },
            `Agent ${agent.id}: ${describeUnavailable(facts, granted.server, granted.tool)}`,
          ),
        ),
    );

export const findRegistryProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [
    ...(callsTool(node) ? call(facts, node, node.config) : []),
    ...(node.compensation ? call(facts, node, node.compensation) : []),
    ...agents(facts, node),
    ...agentTools(facts, node),
  ]);
