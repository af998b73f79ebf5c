import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { collectFindings } from "@/lib/graph/findings";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";

/** Applies a fix, recomputed if the document changed since; stale fixes must not undo edits. */
export const applyFix = (store: CanvasStore, problem: Problem): void => {
  const { history, checked, catalog, edit } = store.getState();
  const isSame = (other: Problem) => getProblemId(other) === getProblemId(problem) && other.fix?.title === problem.fix?.title;
  const now = checked === history.document ? problem : collectFindings(history.document, catalog).problems.find(isSame);
  if (now?.fix) edit(now.fix.edits);
};
