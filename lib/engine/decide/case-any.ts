import type { GraphNode } from "@/lib/graph/document";
import { opensCase } from "@/lib/graph/kind-of";
import { FINDINGS } from "@/lib/graph/kinds/review";
import { getValueAtText } from "@/lib/graph/path";
import type { CaseOutcome } from "@/lib/engine/approvals/case";
import { callOf, describeTarget } from "@/lib/engine/approvals/cases";
import { advanceCase, closeCase } from "@/lib/engine/decide/case-end";
import type { Completion } from "@/lib/engine/decide/complete";
import { advanceCheck, closeCheck, type Checking } from "@/lib/engine/decide/verification";
import { toMemory, type CaseState, type RunState } from "@/lib/engine/state";

const NOTHING: Completion = { events: [], writes: [] };

/** Returns the findings and text length. */
export const reviewSubject = (
  state: RunState,
  node: GraphNode,
  found: CaseState,
): { readonly codes: readonly string[]; readonly length: number } => {
  if (!opensCase(node)) return { codes: FINDINGS, length: describeTarget(callOf(state, found.case.id)).length };

  return { codes: node.config.findings, length: describeTarget(getValueAtText(toMemory(state.cells), node.config.target) ?? null).length };
};

/** Continues a case after a verdict. */
export const advance = (checking: Checking, found: CaseState): Completion => {
  const { node } = checking;
  if (found.case.subject.type === "effect") return advanceCheck(checking, found);

  return opensCase(node) ? advanceCase({ ...checking, node }, found) : NOTHING;
};

export const close = (checking: Checking, found: CaseState, outcome: Exclude<CaseOutcome, "void">): Completion => {
  const { node } = checking;
  if (found.case.subject.type === "effect") return closeCheck(checking, found, outcome);

  return opensCase(node) ? closeCase({ ...checking, node }, found, outcome) : NOTHING;
};
