/** The verification policy: every check has somebody to do it who did not do the work, and there is something to check. */
import type { GraphNode } from "@/lib/graph/document";
import { namedReads } from "./access";
import { actingAgentIds } from "./acting";
import { effectOf } from "./effects";
import { nodeName, type Facts } from "./facts";
import { problem, type Problem } from "./problem";
import { firstOf } from "./first-of";
import { alike, producersOf } from "./producers";

/** The agents that do a node's work, and those that can have written what it does it with. */
const behind = (facts: Facts, node: GraphNode): readonly string[] => [
  ...new Set([...actingAgentIds(node), ...namedReads(node).flatMap((path) => producersOf(facts, path))]),
];

export const checkProblems = (facts: Facts): Problem[] => {
  const { verification } = facts.graph;
  if (!verification) return [];
  const { checks, effects } = verification;
  const verified = facts.graph.nodes.filter(
    (node) => facts.topology.reachable.has(node.id) && effects.some((effect) => effect === effectOf(facts, node)),
  );
  const doubled = checks.flatMap((check, index) =>
    checks.findIndex((other) => other.id === check.id) === index
      ? []
      : [
          problem("check_doubled", { key: check.id }, `The check ${check.id} is there more than once.`, {
            title: "Keep the first one",
            edits: [{ op: "settings", settings: { verification: { ...verification, checks: firstOf(checks, (one) => one.id) } } }],
          }),
        ],
  );
  const unknown = checks
    .filter((check) => !facts.agents.has(check.agent_id))
    .map((check) => problem("agent_unknown", { key: check.agent_id }, `There is no agent ${check.agent_id} for the check ${check.id}.`));
  const judged = checks.flatMap((check) =>
    verified.flatMap((node): Problem[] => {
      const producers = behind(facts, node);
      const place = { node: node.id, key: check.id };
      if (producers.includes(check.agent_id)) {
        return [
          problem(
            "checker_is_producer",
            place,
            `The agent ${check.agent_id} checks ${nodeName(node)} for ${check.id}, and had a part in it: let another agent check.`,
          ),
        ];
      }
      const other = alike(facts, check.agent_id, producers);
      if (other === undefined) return [];

      return [
        problem(
          "reviewer_same_family",
          place,
          `The agents ${check.agent_id}, which checks ${nodeName(node)} for ${check.id}, and ${other} use models of one family, which tend to share their mistakes.`,
        ),
      ];
    }),
  );

  return [
    ...(checks.length === 0
      ? [problem("checks_missing", {}, "Effects are to be verified, and there is no check: add one, or verify nothing.")]
      : []),
    ...(verified.length === 0
      ? [
          problem("verification_idle", {}, `Nothing here has an effect that is ${effects.join(" or ")}, so nothing is verified.`, {
            title: "Ask for no checks",
            edits: [{ op: "settings", settings: { verification: undefined } }],
          }),
        ]
      : []),
    ...doubled,
    ...unknown,
    ...judged,
  ];
};
