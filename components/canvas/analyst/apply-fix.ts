import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { collectFindings } from "@/lib/graph/findings";
import { getProblemId, type Problem } from "@/lib/graph/problems/problem";

/**
 * Does what a problem offers. A fix was made for the document that was looked at, and would put back what has been typed
 * since: when that is not the document any more, the fix is made anew, and does nothing when its problem has gone.
 */
export const applyFix = (store: CanvasStore, problem: Problem): void => {
  const { history, checked, catalog, edit } = store.getState();
  const isSame = (other: Problem) => getProblemId(other) === getProblemId(problem) && other.fix?.title === problem.fix?.title;
  const now = checked === history.document ? problem : collectFindings(history.document, catalog).problems.find(isSame);
  if (now?.fix) edit(now.fix.edits);
};
