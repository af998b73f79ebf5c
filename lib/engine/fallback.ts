import type { Agent } from "@/lib/graph/document";
import { getCaseTask, openCasesHere } from "@/lib/engine/approvals/cases";
import type { RunState } from "@/lib/engine/state";

/** A verdict counts by its model's family, so no other model may give it. */
const isVerdict = (state: RunState, task: string): boolean =>
  openCasesHere(state).some((found) => found.case.reviewers.some((_, index) => getCaseTask(state, found, index) === task));

/** Lists the models of a task in the order in which they are asked. */
export const listModels = (state: RunState, agent: Agent | null, task: string): readonly string[] => {
  const chosen = state.start?.model ?? "";
  const first = agent && agent.model !== "default" ? agent.model : chosen;
  const { fallback } = agent ?? {};

  return fallback === undefined || fallback === first || isVerdict(state, task) ? [first] : [first, fallback];
};
