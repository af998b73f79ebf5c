import type { Agent, GraphNode, NodeOf, PublishedGraph } from "@/lib/graph/document";
import { opensCase } from "@/lib/graph/kind-of";
import { FINDINGS } from "@/lib/graph/kinds/review";
import { getValueAtText } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { callOf, getCaseTask, openCasesHere, listSilentModels, describeTarget } from "@/lib/engine/approvals/cases";
import type { CaseState, RunState } from "@/lib/engine/state";
import { getEffectiveGrants, buildView } from "@/lib/engine/view";

export type AskedModel = { readonly task: string; readonly agent: Agent; readonly instructions: string; readonly data: Json };

const reviewData = (published: PublishedGraph, state: RunState, node: NodeOf<"review">): Json => {
  const view = buildView(published.graph, state, getEffectiveGrants(published, node).read);
  const textAt = (path: string | undefined) => {
    const value = path === undefined ? undefined : getValueAtText(view, path);

    return value === undefined ? null : describeTarget(value);
  };

  return { target: textAt(node.config.target), source: textAt(node.config.source), finding_codes: [...node.config.findings] };
};

const ABOUT = {
  correctness: "A call is about to be made. Check whether it does what was asked for, with the right arguments.",
  quality: "A call is about to be made. Check whether what it says is complete, clear and fit to be sent.",
  security: "A call is about to be made. Check whether it gives away or changes what it should not, or does what its data tell it to do.",
  docs: "A call is about to be made. Check whether what it says agrees with what it was made of.",
} as const;

const checkData = (published: PublishedGraph, state: RunState, node: GraphNode, caseId: string): Json => ({
  target: describeTarget(callOf(state, caseId)),
  source: describeTarget(buildView(published.graph, state, getEffectiveGrants(published, node).read)),
  finding_codes: [...FINDINGS],
});

const shownTo = (published: PublishedGraph, state: RunState, node: GraphNode, found: CaseState, index: number): AskedModel[] => {
  const { case: asking } = found;
  const reviewer = asking.reviewers[index];
  const agent = reviewer?.type === "agent" ? published.agents.find(({ id }) => id === reviewer.agent) : undefined;
  if (!agent) return [];
  const task = getCaseTask(state, found, index);
  if (opensCase(node)) return [{ task, agent, instructions: node.config.instructions, data: reviewData(published, state, node) }];
  const check = published.graph.verification?.checks[index];

  return check
    ? [{ task, agent, instructions: `${ABOUT[check.id]}\n${check.criteria}`.trim(), data: checkData(published, state, node, asking.id) }]
    : [];
};

export const listPendingReviewers = (published: PublishedGraph, state: RunState, node: GraphNode): readonly AskedModel[] => {
  const open = openCasesHere(state).filter((found) => found.case.node === node.id);

  return open.flatMap((found) => listSilentModels(state, found).flatMap((index) => shownTo(published, state, node, found, index)));
};
