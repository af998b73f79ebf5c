/** The registry: agents exist, tools are pinned on an active server, and arguments fit the pinned schema. */
import type { GraphNode, NodeOf, PinnedTool } from "@/lib/graph/document";
import { toolId } from "@/lib/graph/tool-ref";
import { isJsonObject, type Json } from "@/lib/json";
import type { Facts } from "./facts";
import { problem, type Problem } from "./problem";

const textItems = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((item: Json) => (typeof item === "string" ? [item] : [])) : [];

const argumentProblems = (node: NodeOf<"tool">, pinned: PinnedTool): Problem[] => {
  const given = Object.keys(node.config.arguments);
  const properties: Json | undefined = pinned.input_schema["properties"];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const missing = textItems(pinned.input_schema["required"]).filter((name) => !given.includes(name));
  const extra = pinned.input_schema["additionalProperties"] === false ? given.filter((name) => !known.includes(name)) : [];

  return [
    ...missing.map((name) => problem("argument_missing", { node: node.id }, `${pinned.tool} needs the argument ${name}.`)),
    ...extra.map((name) => problem("argument_unknown", { node: node.id }, `${pinned.tool} has no argument ${name}.`)),
  ];
};

const toolNode = (facts: Facts, node: NodeOf<"tool">): Problem[] => {
  const { server, tool } = node.config;
  const pinned = facts.tools.get(toolId(server, tool));
  if (pinned) return argumentProblems(node, pinned);

  return [problem("tool_unavailable", { node: node.id }, `${server}/${tool} is not pinned on an active server.`)];
};

const agentNode = (facts: Facts, node: NodeOf<"agent">): Problem[] => {
  const agent = facts.agents.get(node.config.agent_id);
  if (!agent) return [problem("agent_unknown", { node: node.id }, `There is no agent ${node.config.agent_id}.`)];

  return agent.tools
    .filter((granted) => !facts.tools.has(toolId(granted.server, granted.tool)))
    .map((granted) =>
      problem(
        "tool_unavailable",
        { node: node.id, key: toolId(granted.server, granted.tool) },
        `The agent ${agent.id} uses ${granted.server}/${granted.tool}, which is not pinned on an active server.`,
      ),
    );
};

const ofNode = (facts: Facts, node: GraphNode): Problem[] => {
  if (node.kind === "tool") return toolNode(facts, node);

  return node.kind === "agent" ? agentNode(facts, node) : [];
};

export const registryProblems = (facts: Facts): Problem[] => facts.graph.nodes.flatMap((node) => ofNode(facts, node));
