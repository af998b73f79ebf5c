/** Verification: independent agents, and nodes to check. */
import type { GraphNode } from "@/lib/graph/document";
import { listNamedReads } from "@/lib/graph/facts/access";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { getNodeEffect } from "./effects";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";
import { keepFirst } from "./first-of";
import { findAlike, listProducers } from "./producers";

/** Includes writers of its inputs. */
const behind = (facts: Facts, node: GraphNode): readonly string[] => [
  ...new Set([...listActingAgentIds(node), ...listNamedReads(node).flatMap((path) => listProducers(facts, path))]),
];

export const checkProblems = (facts: Facts): Problem[] => {
  const { verification } = facts.graph;
  if (!verification) return [];
  const { checks, effects } = verification;
  const verified = facts.graph.nodes.filter(
    (node) => facts.topology.reachable.has(node.id) && effects.some((effect) => effect === getNodeEffect(facts, node)),
  );
  const doubled = checks.flatMap((check, index) =>
    checks.findIndex((other) => other.id === check.id) === index
      ? []
      : [
          createProblem("check_doubled", { key: check.id }, `The check ${check.id} is configured more than once.`, {
            title: "Keep the first",
            edits: [{ op: "settings", settings: { verification: { ...verification, checks: keepFirst(checks, (one) => one.id) } } }],
          }),
        ],
  );
  const unknown = checks
    .filter((check) => !facts.agents.has(check.agent_id))
    .map((check) =>
      createProblem("agent_unknown", { key: check.agent_id }, `The check ${check.id} names agent ${check.agent_id}, which does not exist.`),
    );
  const judged = checks.flatMap((check) =>
    verified.flatMap((node): Problem[] => {
      const producers = behind(facts, node);
      const place = { node: node.id, key: check.id };
      if (producers.includes(check.agent_id)) {
        return [
          createProblem(
            "checker_is_producer",
            place,
            `Agent ${check.agent_id} checks ${getNodeName(node)} for ${check.id} but also contributed to it. Choose another agent.`,
          ),
        ];
      }
      const other = findAlike(facts, check.agent_id, producers);
      if (other === undefined) return [];

      return [
        createProblem(
          "reviewer_same_family",
          place,
          `Agents ${check.agent_id} (checks ${getNodeName(node)} for ${check.id}) and ${other} use models of the same family, which tend to make the same mistakes.`,
        ),
      ];
    }),
  );

  return [
    ...(checks.length === 0
      ? [createProblem("checks_missing", {}, "Effects must be verified, but no check is configured. Add a check or turn off verification.")]
      : []),
    ...(verified.length === 0
      ? [
          createProblem("verification_idle", {}, `No reachable node has a ${effects.join(" or ")} effect, so nothing is verified.`, {
            title: "Turn off verification",
            edits: [{ op: "settings", settings: { verification: undefined } }],
          }),
        ]
      : []),
    ...doubled,
    ...unknown,
    ...judged,
  ];
};
