/** What the page asks of the analyst, and what the analyst answers: one question at a time, so no answer needs a number. */
import type { ValidationContext } from "@/lib/graph/problems/facts";
import type { FindingsChange } from "./findings-change";

export type AnalystRequest = {
  /** Any value; one that is no graph has problems of shape and nothing else. */
  readonly document: unknown;
  /** Null: as in the request before. A context is larger than a document and seldom changes. */
  readonly context: ValidationContext | null;
};

export type AnalystAnswer =
  | { readonly type: "findings"; /** Since the answer before, at first since nothing. */ readonly change: FindingsChange }
  | { readonly type: "failed" };
