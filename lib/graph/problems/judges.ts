/** Judges and votes: no agent judges its own work; votes are decidable. */
import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { parsePath } from "@/lib/graph/path";
import { listActingAgentIds } from "@/lib/graph/facts/acting";
import { getNodeName, findWritersAt, type Facts } from "@/lib/graph/facts/facts";
import { createProblem, type Problem } from "./problem";
import { findAlike } from "./producers";

type Judged = { readonly judge: string; readonly producers: readonly string[] };

const writersOf = (facts: Facts, text: string): string[] => findWritersAt(facts, parsePath(text) ?? []).flatMap(listActingAgentIds);

const judgedIn = (facts: Facts, node: GraphNode): Judged | null => {
  const use = getKind(node)
    .agents(node.config)
    .find(({ subject }) => subject !== undefined);
  if (!use?.subject) return null;

  return { judge: use.id, producers: use.subject === "own" ? listActingAgentIds(node) : writersOf(facts, use.subject.path) };
};

const judged = (facts: Facts, node: GraphNode): Problem[] => {
  const found = judgedIn(facts, node);
  if (!found) return [];
  if (found.producers.includes(found.judge)) {
    return [
      createProblem(
        "reviewer_is_producer",
        { node: node.id },
        `In ${getNodeName(node)}, agent ${found.judge} judges a value it may have written itself. Choose another judge.`,
      ),
    ];
  }
  const alike = findAlike(facts, found.judge, found.producers);
  if (alike === undefined) return [];

  return [
    createProblem(
      "reviewer_same_family",
      { node: node.id },
      `In ${getNodeName(node)}, agents ${found.judge} and ${alike} use models of the same family, which tend to make the same mistakes.`,
    ),
  ];
};

const votes = (node: NodeOf<"voting">): Problem[] => {
  const { voters, quorum, strategy, judge_id: judge, on_tie: onTie, tie_value: tieValue } = node.config;
  const place = { node: node.id };
  const most = voters.length;

  return [
    ...(quorum !== undefined && quorum > most
      ? [
          createProblem("quorum_too_high", place, `${getNodeName(node)} waits for ${quorum} votes, but only ${most} can be cast.`, {
            title: `Require ${most}`,
            edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, quorum: most } } }],
          }),
        ]
      : []),
    ...(strategy === "judge" && judge === undefined
      ? [createProblem("judge_missing", place, `${getNodeName(node)} is decided by a judge, but none is chosen.`)]
      : []),
    ...(onTie === "value" && tieValue === undefined
      ? [
          createProblem("tie_value_missing", place, `${getNodeName(node)} resolves a tie with a default value, but none is set.`, {
            title: "Fail the node on a tie",
            edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, on_tie: "fail" } } }],
          }),
        ]
      : []),
  ];
};

export const judgeProblems = (facts: Facts): Problem[] =>
  facts.graph.nodes.flatMap((node) => [...judged(facts, node), ...(node.kind === "voting" ? votes(node) : [])]);
