import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { createSourceLabel } from "@/lib/graph/label";
import { findFreeSeat, getOutcome } from "@/lib/engine/approvals/cases";
import { close, reviewSubject } from "@/lib/engine/decide/case-any";
import { withCaseState } from "@/lib/engine/decide/case-end";
import type { Completion } from "@/lib/engine/decide/complete";
import type { Write } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import type { BodyOf, Proposal } from "@/lib/engine/proposal";
import { ownEntry, type CaseState, type GateState, type RunState } from "@/lib/engine/state";
import { limitFindings } from "@/lib/engine/approvals/verdict-text";

export const findCaseOfGate = (state: RunState, { gate }: GateState): CaseState | undefined =>
  gate.reason === "review" ? ownEntry(state.cases, gate.id) : undefined;

type Given = Extract<RunEvent, { type: "verdict_given" }>;

export type PersonSpoke = { readonly state: RunState; readonly events: RunEvent[]; readonly writes: readonly Write[] };

/** Records a verdict; its note is untrusted. */
export const recordPersonVerdict = (
  state: RunState,
  node: GraphNode,
  gateState: GateState,
  user: string,
  { verdict, findings = [], reason = "" }: Pick<BodyOf<"decision">, "findings" | "reason"> & Pick<Given, "verdict">,
): PersonSpoke => {
  const found = findCaseOfGate(state, gateState);
  const seat = found ? findFreeSeat(found) : null;
  if (!found || seat === null) return { state, events: [], writes: [] };
  const { codes, length } = reviewSubject(state, node, found);
  const given: Given = {
    type: "verdict_given",
    case_id: found.case.id,
    reviewer: seat,
    by: `user:${user}`,
    model: null,
    verdict,
    findings: [...limitFindings(findings, codes, length)],
  };

  return {
    state: withCaseState(state, { ...found, verdicts: [...found.verdicts, given] }),
    events: [given],
    writes: [
      {
        path: `$verdict.${found.case.id}.${found.verdicts.length}`,
        value: reason,
        label: createSourceLabel("untrusted", "internal", `user:${user}`),
      },
    ],
  };
};

export const endCase = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  gateState: GateState,
  expired: boolean,
): Completion => {
  const found = findCaseOfGate(state, gateState);
  const node = published.graph.nodes.find(({ id }) => id === gateState.gate.node);
  if (!found || !node) return { events: [], writes: [] };

  return close({ published, state: { ...state, status: "running" }, proposal, node }, found, expired ? "expired" : getOutcome(found));
};
