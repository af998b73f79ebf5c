import type { Facts } from "@/lib/graph/facts/facts";
import { getNodeName } from "@/lib/graph/facts/facts";
import type { GraphNode } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { createProblem, type Problem } from "./problem";

const ofNode = ({ approvers: known }: Facts, node: GraphNode): Problem[] => {
  const { approvers } = node;
  if (!approvers || !known) return [];
  const groups = new Map(known.groups.map(({ name, people }) => [name, people]));
  const deciders = new Set(known.deciders.map(({ id }) => id));
  const able = new Set(
    [...approvers.people, ...approvers.groups.flatMap((name) => groups.get(name) ?? [])].filter((id) => deciders.has(id)),
  );
  const needed = asksPerson(node) ? node.config.quorum : 1;
  const { groups: names, people } = approvers;

  return [
    ...names.flatMap((name) =>
      groups.has(name)
        ? []
        : [
            createProblem(
              "approver_unknown",
              { node: node.id, key: name },
              `${getNodeName(node)} names the approver group ${name}, which this workspace doesn't have.`,
            ),
          ],
    ),
    ...people.flatMap((id) =>
      deciders.has(id)
        ? []
        : [
            createProblem(
              "approver_unknown",
              { node: node.id, key: id },
              `${getNodeName(node)} names a person (${id.slice(0, 8)}) who is no active reviewer of this workspace.`,
            ),
          ],
    ),
    ...(able.size >= needed
      ? []
      : [
          createProblem(
            "approvers_too_few",
            { node: node.id },
            `${getNodeName(node)} needs ${needed === 1 ? "one approval" : `${needed} approvals`}, but ${able.size} of the named people can decide.`,
          ),
        ]),
  ];
};

const ofEscalation = ({ approvers: known }: Facts, node: GraphNode): Problem[] => {
  const { to, group } = (asksPerson(node) ? node.config.escalation : undefined) ?? {};
  if (to !== "group" || !known) return [];
  const name = getNodeName(node);
  if (group === undefined) return [createProblem("approver_unknown", { node: node.id }, `${name} escalates to a group, but names none.`)];
  const people = known.groups.find((one) => one.name === group)?.people;
  if (!people) {
    const text = `${name} escalates to the approver group ${group}, which this workspace doesn't have.`;

    return [createProblem("approver_unknown", { node: node.id, key: group }, text)];
  }

  return known.deciders.some(({ id }) => people.includes(id))
    ? []
    : [createProblem("approvers_too_few", { node: node.id }, `${name} escalates to ${group}, which has no member who can decide.`)];
};

export const findApproverProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [...ofNode(facts, node), ...ofEscalation(facts, node)]);
