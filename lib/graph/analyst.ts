/** Incremental analyst of a page, in a worker or inline. */
import { bundleDigest } from "@/lib/graph/bundle";
import { collectFindings, NO_FINDINGS, type Findings } from "@/lib/graph/findings";
import { changeOf, type FindingsChange } from "@/lib/graph/findings-change";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { HexDigest } from "@/lib/hash";

export type AnalystRequest = {
  readonly document: unknown;
  /** Null: unchanged; contexts are large and seldom change. */
  readonly context: ValidationContext | null;
};

export type AnalystAnswer =
  | {
      readonly type: "findings";
      readonly change: FindingsChange;
      readonly bundle: HexDigest;
    }
  | { readonly type: "failed" };

/** Creates an analyst that remembers context and last answer. */
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
