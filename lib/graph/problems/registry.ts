/** The registry: agents exist, tools are pinned on an active server, and arguments fit the pinned schema. */
import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { agentIdsOf } from "@/lib/graph/refs";
import { toolId } from "@/lib/graph/tool-ref";
import { isJsonObject, type Json } from "@/lib/json";
import { callingAgentIds } from "./acting";
import type { Facts } from "./facts";
import { problem, type Problem } from "./problem";

const textItems = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((item: Json) => (typeof item === "string" ? [item] : [])) : [];

const argumentProblems = (node: GraphNode, given: readonly string[], pinned: PinnedTool): Problem[] => {
  const properties: Json | undefined = pinned.input_schema["properties"];
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const missing = textItems(pinned.input_schema["required"]).filter((name) => !given.includes(name));
  const extra = pinned.input_schema["additionalProperties"] === false ? given.filter((name) => !known.includes(name)) : [];
  const at = (name: string) => ({ node: node.id, key: `${toolId(pinned.server, pinned.tool)}.${name}` });

  return [
    ...missing.map((name) => problem("argument_missing", at(name), `${pinned.tool} needs the argument ${name}.`)),
    ...extra.map((name) => problem("argument_unknown", at(name), `${pinned.tool} has no argument ${name}.`)),
  ];
};

type Call = { readonly server: string; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

/** A call that the graph itself words: the tool of a tool node, and the undo of any node. */
const call = (facts: Facts, node: GraphNode, { server, tool, arguments: given }: Call): Problem[] => {
  const pinned = facts.tools.get(toolId(server, tool));
  if (pinned) return argumentProblems(node, Object.keys(given), pinned);

  return [problem("tool_unavailable", { node: node.id }, `${server}/${tool} is not pinned on an active server.`)];
};

const agents = (facts: Facts, node: GraphNode): Problem[] =>
  agentIdsOf(node)
    .filter((id) => !facts.agents.has(id))
    .map((id) => problem("agent_unknown", { node: node.id, key: id }, `There is no agent ${id}.`));

const agentTools = (facts: Facts, node: GraphNode): Problem[] =>
  callingAgentIds(node)
    .flatMap((id) => facts.agents.get(id) ?? [])
    .flatMap((agent) =>
      agent.tools
        .filter((granted) => !facts.tools.has(toolId(granted.server, granted.tool)))
        .map((granted) =>
          problem(
            "tool_unavailable",
            { node: node.id, key: toolId(granted.server, granted.tool) },
            `The agent ${agent.id} uses ${granted.server}/${granted.tool}, which is not pinned on an active server.`,
          ),
        ),
    );

export const registryProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [
    ...(node.kind === "tool" ? call(facts, node, node.config) : []),
    ...(node.compensation ? call(facts, node, node.compensation) : []),
    ...agents(facts, node),
    ...agentTools(facts, node),
  ]);
