/** Grants beyond an agent's permissions. */
import type { Agent, GraphNode } from "@/lib/graph/document";
import { answerPath } from "@/lib/graph/facts/access";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { getNodeName, overlaps, touches, type Facts } from "@/lib/graph/facts/facts";
import { getKind } from "@/lib/graph/kind-of";
import { intersectGrants, parsePath } from "@/lib/graph/path";
import { findReachable } from "@/lib/graph/topology";
import { listConfiguredReads, listConfiguredWrites } from "./grants";
import { createProblem, type Fix, type Problem } from "./problem";

type Side = "read_keys" | "write_keys";

const without = (node: GraphNode, side: Side, grants: readonly string[]): Partial<Pick<GraphNode, Side>> => ({
  [side]: node[side].filter((grant) => !grants.includes(grant)),
});

/** Voters and candidates write nothing; their node does. */
const writesAsAgent = (node: GraphNode): boolean =>
  getKind(node)
    .agents(node.config)
    .some(({ role }) => role === "own");

const allows = ({ permissions }: Agent, side: Side, grant: string): boolean => {
  const path = parsePath(grant);

  return path === null || permissions[side] === undefined || touches(permissions[side], path);
};

const listBeyond = (facts: Facts, node: GraphNode, side: Side): readonly string[] => {
  const acting = listActingAgentIds(node).flatMap((id) => facts.agents.get(id) ?? []);
  const isCapped = acting.length > 0 && getKind(node).rights.reads !== "both" && (side === "read_keys" || writesAsAgent(node));

  return isCapped ? node[side].filter((grant) => acting.every((agent) => !allows(agent, side, grant))) : [];
};

/** Its own answer, or what a later node reads. */
const isNeeded = (facts: Facts, node: GraphNode, grant: string): boolean => {
  const path = parsePath(grant) ?? [];
  const answer = parsePath(answerPath(node) ?? "");
  const later = findReachable(facts.topology.successors.get(node.id) ?? [], facts.topology.successors);

  return (answer !== null && overlaps(answer, path)) || [...later].some((id) => touches(facts.access.get(id)?.reads ?? [], path));
};

/** Returns whether only permissions keep an earlier node from writing the path: the actual error. */
export const isCappedBefore = (facts: Facts, reader: string, path: readonly string[]): boolean =>
  facts.graph.nodes.some(
    (node) =>
      facts.topology.reachable.has(node.id) &&
      listBeyond(facts, node, "write_keys").some((grant) => overlaps(parsePath(grant) ?? [], path)) &&
      findReachable(facts.topology.successors.get(node.id) ?? [], facts.topology.successors).has(reader),
  );

/** Another agent with the same tools that allows the node's grants. */
const replaceFix = (facts: Facts, node: GraphNode): Fix | undefined => {
  if (node.kind !== "agent") return undefined;
  const now = facts.agents.get(node.config.agent_id);
  const isSameIn = (agent: Agent) =>
    (["read_keys", "write_keys"] as const).every((side) => {
      const kept = intersectGrants(node[side], agent.permissions[side]);

      return node[side].every((grant) => kept.includes(grant));
    });
  const hasSameTools = (agent: Agent) =>
    agent.tools.length === now?.tools.length &&
    agent.tools.every(({ server, tool }) => now.tools.some((other) => other.server === server && other.tool === tool));
  const other = [...facts.agents.values()].find((agent) => agent.id !== node.config.agent_id && isSameIn(agent) && hasSameTools(agent));

  return (
    other && {
      title: `Use agent ${other.name}`,
      edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, agent_id: other.id } } }],
    }
  );
};

const describeAgents = (facts: Facts, node: GraphNode): string =>
  listActingAgentIds(node)
    .map((id) => facts.agents.get(id)?.name ?? id)
    .join(", ");

const describeLimit = (facts: Facts, node: GraphNode, side: Side): string => {
  const allowed = [...new Set(listActingAgentIds(node).flatMap((id) => facts.agents.get(id)?.permissions[side] ?? []))];
  const verb = side === "read_keys" ? "read" : "write";

  return allowed.length === 0 ? `may ${verb} nothing` : `may ${verb} only ${allowed.join(", ")}`;
};

/** The agent to widen, if unambiguous. */
const widening = (node: GraphNode, side: Side, path: string): Pick<Problem, "widens"> => {
  const [only, ...others] = listActingAgentIds(node);

  return only === undefined || others.length > 0 ? {} : { widens: { agent: only, side, path } };
};

const findProblemsOf = (facts: Facts, node: GraphNode): Problem[] => {
  const beyond = { read_keys: listBeyond(facts, node, "read_keys"), write_keys: listBeyond(facts, node, "write_keys") };
  const named = new Set([...listConfiguredReads(node), ...listConfiguredWrites(node)]);
  const kept = { ...without(node, "read_keys", beyond.read_keys), ...without(node, "write_keys", beyond.write_keys) };
  const drop: Fix = { title: "Remove unusable grants", edits: [{ op: "replace_node", node: { ...node, ...kept } }] };

  return (["write_keys", "read_keys"] as const).flatMap((side) =>
    beyond[side].map((grant) => {
      const isError = side === "write_keys" && isNeeded(facts, node, grant);
      const place = { node: node.id, key: grant };
      const limit = `its agent ${describeAgents(facts, node)} ${describeLimit(facts, node, side)}.`;
      const fix = isError ? replaceFix(facts, node) : named.has(grant) ? undefined : drop;
      const verb = side === "read_keys" ? "read" : "write";
      const message = `${getNodeName(node)} is granted to ${verb} ${grant}, but ${limit}`;

      return {
        ...createProblem(isError ? "grant_without_effect" : "beyond_agent_ceiling", place, message, fix),
        ...widening(node, side, grant),
      };
    }),
  );
};

export const findCeilingProblems = (facts: Facts): Problem[] => facts.graph.nodes.flatMap((node) => findProblemsOf(facts, node));
