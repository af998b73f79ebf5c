/** Extracts and reviews: fields, reviewers, quorum, independence, rework. */
import type { NodeOf } from "@/lib/graph/document";
import { fillsForm, judgesCase, opensCase } from "@/lib/graph/kind-of";
import type { Reviewer } from "@/lib/graph/kinds/review";
import { findReachable } from "@/lib/graph/topology";
import { answerPath } from "@/lib/graph/facts/access";
import { getNodeName, type Facts } from "@/lib/graph/facts/facts";
import { keepFirst } from "./first-of";
import { createProblem, type Fix, type Problem } from "./problem";
import { findAlike, listAgentFamilies, listProducers } from "./producers";
import { findRepeatedEdges } from "./reach";

type Extract = NodeOf<"extract">;
type Review = NodeOf<"review">;

const repeated = (names: readonly string[]): string[] => [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];

const ofExtract = (facts: Facts, node: Extract): Problem[] => {
  const { agent_id: agent, fields } = node.config;
  const name = getNodeName(node);
  const tools = facts.agents.get(agent)?.tools.length ?? 0;

  return [
    ...(fields.length === 0
      ? [createProblem("fields_missing", { node: node.id }, `${name} has no fields. Add what it should extract.`)]
      : []),
    ...repeated(fields.map((field) => field.name)).map((key) =>
      createProblem("field_doubled", { node: node.id, key }, `${name} has more than one field named ${key}.`, {
        title: `Keep the first ${key}`,
        edits: [
          {
            op: "replace_node",
            node: {
              ...node,
              config: {
                ...node.config,
                fields: keepFirst(fields, (field) => field.name),
              },
            },
          },
        ],
      }),
    ),
    ...(answerPath(node) === undefined
      ? [createProblem("extract_unwritten", { node: node.id }, `${name} has no path for its form. Let it write exactly one key.`)]
      : []),
    ...(tools > 0
      ? [
          createProblem(
            "extract_tools_ignored",
            { node: node.id },
            `Agent ${agent} has tools, but can't use them in ${name}, where it is quarantined.`,
          ),
        ]
      : []),
  ];
};

const reviewingAgents = (node: Review): readonly string[] =>
  node.config.reviewers.flatMap((reviewer) => (reviewer.type === "agent" ? [reviewer.agent_id] : []));

const votesIn = (node: Review): number =>
  node.config.reviewers.reduce((count, reviewer) => count + (reviewer.type === "agent" ? 1 : reviewer.count), 0);

const PERSON: Reviewer = { type: "person", role: "reviewer", count: 1 };

const withReviewers = (node: Review, reviewers: readonly Reviewer[], title: string): Fix => ({
  title,
  edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, reviewers: [...reviewers] } } }],
});

const quorum = (node: Review): Problem[] => {
  const most = votesIn(node);
  if (most === 0)
    return [
      createProblem(
        "reviewers_missing",
        { node: node.id },
        `${getNodeName(node)} has no reviewers. Add a person or an agent.`,
        withReviewers(node, [PERSON], "Add a person"),
      ),
    ];
  if (node.config.quorum <= most) return [];

  return [
    createProblem(
      "quorum_too_high",
      { node: node.id },
      `${getNodeName(node)} requires ${node.config.quorum} approvals, but only ${most} can be given.`,
      { title: `Require ${most}`, edits: [{ op: "replace_node", node: { ...node, config: { ...node.config, quorum: most } } }] },
    ),
  ];
};

/** Models of one family tend to share mistakes. */
const families = (facts: Facts, node: Review): Problem[] => {
  const agents = reviewingAgents(node);
  const twin = agents.find((id, index) => agents.some((other, at) => at < index && sameFamily(facts, id, other)));
  const first = agents.find((id) => twin !== undefined && sameFamily(facts, id, twin));
  if (twin === undefined || first === undefined) return [];
  const who = first === twin ? `Agent ${twin} reviews twice` : `Agents ${first} and ${twin} use models of the same family`;

  return [
    createProblem(
      "reviewers_of_one_family",
      { node: node.id },
      `${who} in ${getNodeName(node)}. A second opinion needs a different model family.`,
      withReviewers(node, oneOfEach(facts, node), "Replace with a person"),
    ),
  ];
};

const sameFamily = (facts: Facts, a: string, b: string): boolean => {
  // A reviewer never falls back.
  const [family] = listAgentFamilies(facts, a);

  return a === b || (family !== undefined && family === listAgentFamilies(facts, b)[0]);
};

/** Persons replace further agents of a family. */
const oneOfEach = (facts: Facts, node: Review): readonly Reviewer[] =>
  node.config.reviewers.map((one, at, all) => {
    const isTwin =
      one.type === "agent" && all.slice(0, at).some((other) => other.type === "agent" && sameFamily(facts, other.agent_id, one.agent_id));

    return isTwin ? PERSON : one;
  });

const ownWork = (facts: Facts, node: Review): Problem[] => {
  const producers = listProducers(facts, node.config.target);

  return [...new Set(reviewingAgents(node))].flatMap((id) => {
    if (producers.includes(id)) {
      return [
        createProblem(
          "reviewer_is_producer",
          { node: node.id, key: id },
          `In ${getNodeName(node)}, agent ${id} reviews a value it may have written itself. Choose another reviewer.`,
          withReviewers(
            node,
            node.config.reviewers.map((one) => (one.type === "agent" && one.agent_id === id ? PERSON : one)),
            "Replace with a person",
          ),
        ),
      ];
    }
    const other = findAlike(facts, id, producers);
    if (other === undefined) return [];

    return [
      createProblem(
        "reviewer_same_family",
        { node: node.id, key: id },
        `In ${getNodeName(node)}, agents ${id} and ${other} use models of the same family, which tend to make the same mistakes.`,
      ),
    ];
  });
};

const rework = (facts: Facts, node: Review): Problem[] => {
  const { rework: again, ...config } = node.config;
  if (again === undefined || !facts.graph.end_nodes.includes(again.node)) return [];

  return [
    createProblem(
      "rework_to_end",
      { node: node.id },
      `${getNodeName(node)} sends work back to ${again.node}, an end node, so it would not be redone.`,
      { title: "Turn off rework", edits: [{ op: "replace_node", node: { ...node, config } }] },
    ),
  ];
};

const reviewsBefore = (facts: Facts, node: Review): Review[] =>
  facts.graph.nodes.flatMap((judge) => {
    const found = judgesCase(judge) && judge.config.to === node.config.target ? facts.nodes.get(judge.config.review) : undefined;

    return opensCase(found) ? [found] : [];
  });

const looksAtItself = (facts: Facts, node: Review): boolean => {
  const seen = new Set(reviewsBefore(facts, node));
  // // A Set iterates over additions too.
  for (const review of seen) for (const before of reviewsBefore(facts, review)) seen.add(before);

  return seen.has(node);
};

const bounded = (facts: Facts, node: Review, ways: ReadonlyMap<string, readonly string[]>): Problem[] => {
  if (looksAtItself(facts, node)) {
    return [
      createProblem(
        "review_unbounded",
        { node: node.id },
        `${getNodeName(node)} reviews the result of its own verdicts, so its reviews never end.`,
      ),
    ];
  }
  const comesBack = !facts.graph.external && findReachable(ways.get(node.id) ?? [], ways).has(node.id);
  if (!comesBack) return [];

  return [
    createProblem(
      "review_unbounded",
      { node: node.id },
      `The run can return to ${getNodeName(node)} without a limit. Use its “Send back to” setting, which has one.`,
    ),
  ];
};

export const reviewProblems = (facts: Facts): Problem[] => {
  const ways = facts.graph.nodes.some(opensCase) ? findRepeatedEdges(facts) : new Map<string, readonly string[]>();

  return facts.graph.nodes.flatMap((node) => {
    if (fillsForm(node)) return ofExtract(facts, node);
    if (!opensCase(node)) return [];

    return [...quorum(node), ...families(facts, node), ...ownWork(facts, node), ...rework(facts, node), ...bounded(facts, node, ways)];
  });
};
