import type { Agent } from "@/lib/graph/document";
import { getCaseTask, openCasesHere } from "@/lib/engine/approvals/cases";
import type { RunState } from "@/lib/engine/state";

/** Verdicts count by model family, so no other model may answer. */
const isVerdict = (state: RunState, task: string): boolean =>
  openCasesHere(state).some((found) => found.case.reviewers.some((_, index) => getCaseTask(state, found, index) === task));

export const listModels = (state: RunState, agent: Agent | null, task: string): readonly string[] => {
  const chosen = state.start?.model ?? "";
  const first = agent && agent.model !== "default" ? agent.model : chosen;
  const { fallback } = agent ?? {};

  return fallback === undefined || fallback === first || isVerdict(state, task) ? [first] : [first, fallback];
};
