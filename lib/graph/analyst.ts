/** What looks at documents for a page, one question after the other: in a worker of the browser, or on the page when none works. */
import { bundleDigest } from "@/lib/graph/bundle";
import { collectFindings, NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import { changeOf, type FindingsChange } from "@/lib/graph/findings-change";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import type { HexDigest } from "@/lib/hash";

export type AnalystRequest = {
  /** Any value; one that is no graph has problems of shape and nothing else. */
  readonly document: unknown;
  /** Null: as in the request before. A context is larger than a document and seldom changes. */
  readonly context: ValidationContext | null;
};

export type AnalystAnswer =
  | {
      readonly type: "findings";
      /** Since the answer before, at first since nothing. */
      readonly change: FindingsChange;
      /** Which rules were asked. */
      readonly bundle: HexDigest;
    }
  | { readonly type: "failed" };

/** An analyst that knows nothing yet. It remembers the context and its last answer; who asks must do the same. */
export const createAnalyst = (): ((request: AnalystRequest) => AnalystAnswer) => {
  let context: ValidationContext = { agents: [], tools: [], versions: [] };
  let before: Findings = NO_FINDINGS;

  return (request) => {
    try {
      context = request.context ?? context;
      const next = collectFindings(request.document, context);
      const change = changeOf(before, next);
      before = next;

      return { type: "findings", change, bundle: bundleDigest() };
    } catch {
      return { type: "failed" };
    }
  };
};
