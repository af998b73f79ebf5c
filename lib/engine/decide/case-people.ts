/** Turns decisions at a case's gate into verdicts, counted with the models'. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { source } from "@/lib/graph/label";
import { freeSeat, outcomeOf } from "@/lib/engine/approvals/cases";
import { close, lookedAt } from "@/lib/engine/decide/case-any";
import { withCaseState } from "@/lib/engine/decide/case-end";
import type { Completion } from "@/lib/engine/decide/complete";
import type { Write } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import type { BodyOf, Proposal } from "@/lib/engine/proposal";
import { ownEntry, type CaseState, type GateState, type RunState } from "@/lib/engine/state";
import { boundedFindings } from "@/lib/engine/approvals/verdict-text";

export const caseOfGate = (state: RunState, { gate }: GateState): CaseState | undefined =>
  gate.reason === "review" ? ownEntry(state.cases, gate.id) : undefined;

type Given = Extract<RunEvent, { type: "verdict_given" }>;

export type PersonSpoke = { readonly state: RunState; readonly events: RunEvent[]; readonly writes: readonly Write[] };

/** Records a person's verdict; the note is untrusted. */
export const personSpeaks = (
  state: RunState,
  node: GraphNode,
  gateState: GateState,
  user: string,
  { verdict, findings = [], reason = "" }: Pick<BodyOf<"decision">, "findings" | "reason"> & Pick<Given, "verdict">,
): PersonSpoke => {
  const found = caseOfGate(state, gateState);
  const seat = found ? freeSeat(found) : null;
  if (!found || seat === null) return { state, events: [], writes: [] };
  const { codes, length } = lookedAt(state, node, found);
  const given: Given = {
    type: "verdict_given",
    case_id: found.case.id,
    reviewer: seat,
    by: `user:${user}`,
    model: null,
    verdict,
    findings: [...boundedFindings(findings, codes, length)],
  };

  return {
    state: withCaseState(state, { ...found, verdicts: [...found.verdicts, given] }),
    events: [given],
    writes: [
      { path: `$verdict.${found.case.id}.${found.verdicts.length}`, value: reason, label: source("untrusted", "internal", `user:${user}`) },
    ],
  };
};

export const caseEnds = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  gateState: GateState,
  expired: boolean,
): Completion => {
  const found = caseOfGate(state, gateState);
  const node = published.graph.nodes.find(({ id }) => id === gateState.gate.node);
  if (!found || !node) return { events: [], writes: [] };

  return close({ published, state: { ...state, status: "running" }, proposal, node }, found, expired ? "expired" : outcomeOf(found));
};
