/** Causes of run-time failures of a published graph's calls. */
import type { Agent, Graph, GraphNode, PinnedTool } from "@/lib/graph/document";
import { callsTool, runsGraph } from "@/lib/graph/kind-of";
import { listToolRefs } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { listCallingAgentIds } from "@/lib/graph/facts/acting";
import { findChild } from "@/lib/graph/facts/children";
import type { Facts, ServerStanding } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";

/** Tool nodes call under this name. */
const TOOL_NODES = "node";

type Call = { readonly caller: string; readonly server: string; readonly tool: string };

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  discovered: "is not reviewed",
  quarantined: "is not reviewed",
  reviewed: "is reviewed, but not active",
  drifted: "changed since its review and is suspended",
  suspended: "is suspended",
  revoked: "is revoked",
};

/** Says why a tool is not among the pinned ones. */
export const describeUnavailable = ({ servers }: Facts, server: string, tool: string): string => {
  const place = servers?.get(server);
  if (servers && !place) return `${server}/${tool} is not available: there is no server ${server}.`;
  const fault = place?.standing?.unusable.find(({ name }) => name === tool);
  if (fault) return `${server}/${tool} can't be used. ${fault.reason}`;
  const status = place?.standing && STATUS_TEXTS[place.standing.status];
  if (status !== undefined && place?.standing?.status !== "reviewed") return `${server}/${tool} is not available: the server ${status}.`;

  return `${server}/${tool} is not pinned on an active server.`;
};

const callsOf = (node: GraphNode, agents: ReadonlyMap<string, Agent>): readonly Call[] => [
  ...listToolRefs(node).map(({ server, tool }) => ({ caller: TOOL_NODES, server, tool })),
  ...(callsTool(node) ? [] : listCallingAgentIds(node)).flatMap((id) =>
    (agents.get(id)?.tools ?? []).map(({ server, tool }) => ({ caller: id, server, tool })),
  ),
];

const nameOf = (caller: string): string => (caller === TOOL_NODES ? "tool nodes" : `the agent ${caller}`);

type Caller = { readonly id: string; readonly name: string; readonly node?: string };

const serverProblems = (standing: ServerStanding, server: string, { id: caller, name, ...place }: Caller): Problem[] => {
  const at = (key: string) => ({ ...place, key });
  const isActive = standing.status === "active";

  return [
    ...(isActive
      ? []
      : [createProblem("server_inactive", at(server), `The server ${server} ${STATUS_TEXTS[standing.status] ?? "is not active"}.`)]),
    ...(isActive && standing.isGone ? [createProblem("program_gone", at(server), `No runner has the program of ${server}.`)] : []),
    ...(standing.callers.includes(caller)
      ? []
      : [
          createProblem(
            "caller_not_allowed",
            at(`${server}.${caller}`),
            `${server} does not allow calls by ${name}. Add ${caller} to its allowed callers.`,
          ),
        ]),
  ];
};

const problemsOf = (facts: Facts, node: GraphNode, { caller, server, tool }: Call): Problem[] => {
  const standing = facts.servers?.get(server)?.standing;
  if (!standing) return [];
  const at = (key: string) => ({ node: node.id, key });
  const off = standing.switchedOff.includes(tool);
  const isUnlabelled = standing.unlabelled.includes(tool);

  return [
    ...serverProblems(standing, server, { id: caller, name: nameOf(caller), node: node.id }),
    ...(off ? [createProblem("tool_switched_off", at(getToolId(server, tool)), `${server}/${tool} is switched off.`)] : []),
    ...(isUnlabelled
      ? [createProblem("tool_unlabelled", at(getToolId(server, tool)), `${server}/${tool} is not labelled yet (treated as irreversible).`)]
      : []),
  ];
};

const ownProblems = (facts: Facts, node: GraphNode): Problem[] =>
  callsOf(node, facts.agents)
    // Others are errors already.
    .filter(({ server, tool }) => facts.tools.has(getToolId(server, tool)))
    .flatMap((call) => problemsOf(facts, node, call));

type Version = { readonly graph: Graph; readonly agents: readonly Agent[]; readonly tools: readonly PinnedTool[] };

const changedIn = (facts: Facts, node: GraphNode, { graph, tools }: Version): Problem[] =>
  tools.flatMap(({ server, tool, definition_digest: digest }) => {
    const now = facts.tools.get(getToolId(server, tool));
    const status = facts.servers?.get(server)?.standing?.status;
    if (status !== "active" || now?.definition_digest === digest) return [];
    const what = `${graph.name} uses an earlier definition of ${server}/${tool}. Publish it again and use its new version.`;

    return [createProblem("subgraph_tool_changed", { node: node.id, key: getToolId(server, tool) }, what)];
  });

const innerProblems = (facts: Facts, node: GraphNode): Problem[] => {
  const child = runsGraph(node) ? findChild(facts, node) : undefined;
  if (!child) return [];
  const { subgraphs, ...own } = child.published;

  return [own, ...subgraphs].flatMap((version) => {
    const agents = new Map(version.agents.map((agent) => [agent.id, agent]));
    const calls = version.graph.nodes.flatMap((inner) => callsOf(inner, agents));

    return [...calls.flatMap((call) => problemsOf(facts, node, call)), ...changedIn(facts, node, version)];
  });
};

const once = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [`${problem.code}/${problem.node ?? ""}/${problem.key ?? ""}`, problem])).values(),
];

const triggerProblems = ({ graph: { triggers = [] }, servers }: Facts): Problem[] =>
  triggers.flatMap((trigger) => {
    if (trigger.kind !== "mcp_resource") return [];
    const standing = servers?.get(trigger.server)?.standing;

    return standing ? serverProblems(standing, trigger.server, { id: TOOL_NODES, name: `the trigger ${trigger.id}` }) : [];
  });

export const findStandingProblems = (facts: Facts): Problem[] =>
  facts.servers
    ? once([
        ...facts.graph.nodes.flatMap((node) => [...ownProblems(facts, node), ...innerProblems(facts, node)]),
        ...triggerProblems(facts),
      ])
    : [];
