/** What runs in the worker, and on the page when no worker does. */
import { findingsOf, NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { changeOf } from "./findings-change";
import type { AnalystAnswer, AnalystRequest } from "./messages";

/** An analyst that knows nothing yet. It remembers the context and its last answer; each page end has its own. */
export const createAnalyst = (): ((request: AnalystRequest) => AnalystAnswer) => {
  let context: ValidationContext = { agents: [], tools: [], versions: [] };
  let before: Findings = NO_FINDINGS;

  return (request) => {
    try {
      context = request.context ?? context;
      const next = findingsOf(request.document, context);
      const change = changeOf(before, next);
      before = next;

      return { type: "findings", change };
    } catch {
      return { type: "failed" };
    }
  };
};
