/** Whom the open case of this visit still asks, and what each is shown: quoted data, and nothing of what others say. */
import type { Agent, GraphNode, NodeOf, PublishedGraph } from "@/lib/graph/document";
import { valueAtText } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { openCaseHere, reviewTask, silentModels, targetText } from "@/lib/engine/cases";
import type { CaseState, RunState } from "@/lib/engine/state";
import { effectiveGrants, viewOf } from "@/lib/engine/view";

export type AskedModel = { readonly task: string; readonly agent: Agent; readonly instructions: string; readonly data: Json };

const reviewData = (published: PublishedGraph, state: RunState, node: NodeOf<"review">): Json => {
  const view = viewOf(published.graph, state, effectiveGrants(published, node).read).value;
  const textAt = (path: string | undefined) => {
    const value = path === undefined ? undefined : valueAtText(view, path);

    return value === undefined ? null : targetText(value);
  };

  return { target: textAt(node.config.target), source: textAt(node.config.source), finding_codes: [...node.config.findings] };
};

const shownTo = (published: PublishedGraph, state: RunState, node: GraphNode, { case: asking }: CaseState, index: number): AskedModel[] => {
  const reviewer = asking.reviewers[index];
  const agent = reviewer?.type === "agent" ? published.agents.find(({ id }) => id === reviewer.agent) : undefined;
  if (!agent || node.kind !== "review") return [];

  return [{ task: reviewTask(node, index), agent, instructions: node.config.instructions, data: reviewData(published, state, node) }];
};

export const askedIn = (published: PublishedGraph, state: RunState, node: GraphNode): readonly AskedModel[] => {
  const found = openCaseHere(state);
  if (!found || found.case.node !== node.id) return [];

  return silentModels(state, found, (index) => reviewTask(node, index)).flatMap((index) => shownTo(published, state, node, found, index));
};
