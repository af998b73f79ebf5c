import { getBasisAt } from "@/lib/engine/approvals/cases";
import type { CaseState, RunState } from "@/lib/engine/state";
import { uuid } from "@/lib/engine/testing/run";
import { askedOff, nodesOffFor, stateOffFor, type Guards } from "./guard";

const FORGED = uuid(405);

const forgedCase = (state: RunState): CaseState => ({
  case: {
    id: FORGED,
    node: "look",
    activation: 0,
    subject: { type: "cell", path: "request", cells: [...getBasisAt(state, "request")] },
    reviewers: [{ type: "agent", agent: "reader", check: null }],
    quorum: 1,
    producers: [],
    opened_at: 0,
    expires_at: 1,
  },
  seq: 0,
  key: "look",
  status: "passed",
  verdicts: [{ type: "verdict_given", case_id: FORGED, reviewer: 0, by: "agent:reader", model: null, verdict: "approve", findings: [] }],
});

export const ZONE_GUARDS: Guards = {
  "a judge needs a case that passed": askedOff(({ state, proposal }) =>
    proposal.body.kind === "node_result" && state.currentNode === "weigh"
      ? { state: { ...state, cases: { ...state.cases, [FORGED]: forgedCase(state) } } }
      : {},
  ),
  "the quorum of a case": nodesOffFor(
    ({ kind }) => kind === "open_case",
    (node) => (node.kind === "review" ? { ...node, config: { ...node.config, quorum: 1 } } : node),
  ),
  "one verdict of each reviewer": stateOffFor("verdict", (state) => ({
    cases: Object.fromEntries(Object.entries(state.cases).map(([id, found]) => [id, { ...found, verdicts: [] }])),
  })),
  "only named reviewers are asked": nodesOffFor(
    ({ kind }) => kind === "open_case",
    (node) => (node.kind === "review" ? { ...node, config: { ...node.config, reviewers: [{ type: "agent", agent_id: "reader" }] } } : node),
  ),
};
