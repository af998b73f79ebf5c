/** Advances cases: models, then people, then the count. */
import type { NodeOf, PublishedGraph } from "@/lib/graph/document";
import { joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import type { CaseOutcome, Designated, ReviewCase } from "@/lib/engine/approvals/case";
import { countFailedCases, isLastResort, getOutcome, countPeople, listSilentModels } from "@/lib/engine/approvals/cases";
import { completeNode, failAttempt, type Completion } from "@/lib/engine/decide/complete";
import { openGate } from "@/lib/engine/decide/gate";
import type { RunEvent } from "@/lib/engine/event";
import { getNodeKey } from "@/lib/engine/frame";
import type { Proposal } from "@/lib/engine/proposal";
import { findCellsAt, ownEntry, type CaseState, type Cell, type RunState } from "@/lib/engine/state";
import { toBasis, buildTransition } from "@/lib/engine/ledger/transition";

export type Reviewing = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: NodeOf<"review">;
};

const MOST_PEOPLE = 10;

const shownPaths = ({ config }: NodeOf<"review">): readonly string[] => [
  config.target,
  ...(config.source === undefined ? [] : [config.source]),
];

const cellsOf = (state: RunState, paths: readonly string[]): readonly Cell[] => [
  ...new Set(paths.flatMap((path) => findCellsAt(state.cells, path))),
];

export const openCase = (
  { proposal, node, state }: Reviewing,
  subject: ReviewCase["subject"],
  reviewers: readonly Designated[],
  producers: readonly string[],
): ReviewCase => ({
  id: proposal.fresh[0],
  node: node.id,
  activation: state.activation ?? 0,
  subject,
  reviewers: [...reviewers],
  quorum: node.config.quorum,
  producers: [...producers],
  opened_at: proposal.at,
  expires_at: proposal.at + node.config.timeout_ms,
});

export const withCaseState = (state: RunState, found: CaseState): RunState => ({
  ...state,
  cases: { ...state.cases, [found.case.id]: found },
});

export const createCaseState = (state: RunState, opened: ReviewCase): CaseState => ({
  case: opened,
  seq: state.version,
  key: getNodeKey(state, opened.node),
  status: "open",
  verdicts: [],
});

const askPeople = ({ published, state, proposal, node }: Reviewing, { case: opened }: CaseState): Completion => {
  const paths = shownPaths(node);
  const cells = cellsOf(state, paths);
  const role = opened.reviewers.find((reviewer) => reviewer.type === "person")?.role ?? "reviewer";

  return openGate(proposal, {
    node,
    reason: "review",
    prompt:
      node.config.instructions === "" ? `${node.title || node.id} asks for a verdict on ${node.config.target}` : node.config.instructions,
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "review", value: { case: opened.id }, call: String(state.activation) },
      { reads: toBasis(cells) },
    ),
    pending: { case: opened.id },
    label: joinLabels(cells.map((cell) => cell.label)),
    reviewKeys: paths,
    terms: { id: opened.id, role, quorum: countPeople(opened.reviewers), expires_at: opened.expires_at },
  });
};

const choiceOf = ({ state, node }: Reviewing, { case: closed }: CaseState, to: string | null) => {
  const { rework, expiry_node: expired } = node.config;
  if (!rework && expired === undefined) return null;
  const looked = cellsOf(state, shownPaths(node));
  const byPeople = closed.reviewers.every((reviewer) => reviewer.type === "person");
  const label: Label = {
    ...joinLabels([...looked.map((cell) => cell.label), createSourceLabel("untrusted", "public", `case:${closed.id}`)]),
    ...(byPeople ? { integrity: "reviewed" } : {}),
  };

  return { to, label, looked, managed: rework ? [rework.node] : [] };
};

const lastResort = (reviewing: Reviewing, { case: before }: CaseState): Completion => {
  const count = Math.min(MOST_PEOPLE, before.quorum);
  const opened = openCase(reviewing, before.subject, [{ type: "person", role: "reviewer", count }], before.producers);
  const gate = askPeople(reviewing, createCaseState(reviewing.state, opened));

  return { events: [{ type: "case_opened", case: opened }, ...gate.events], writes: gate.writes };
};

export const closeCase = (reviewing: Reviewing, found: CaseState, outcome: Exclude<CaseOutcome, "void">): Completion => {
  const { published, state, proposal, node } = reviewing;
  const closed: RunEvent = { type: "case_closed", case_id: found.case.id, outcome };
  const { rework, expiry_node: expired } = node.config;
  if (outcome === "expired" && expired !== undefined) {
    const completion = completeNode(published, state, proposal, node.id, [], choiceOf(reviewing, found, expired));

    return { events: [closed, ...completion.events], writes: completion.writes };
  }
  const last = isLastResort(state, found);
  const before = countFailedCases(state, node.id);
  if (outcome !== "passed" && rework && !last && before >= rework.limit) {
    const asked = lastResort(reviewing, found);

    return { events: [closed, ...asked.events], writes: asked.writes };
  }
  const again = outcome !== "passed" && rework && !last ? rework.node : null;
  const completion = completeNode(published, state, proposal, node.id, [], choiceOf(reviewing, found, again));

  return { events: [closed, ...completion.events], writes: completion.writes };
};

export const voidCase = (published: PublishedGraph, state: RunState, proposal: Proposal, found: CaseState): Completion => {
  const failed = failAttempt(published, { ...state, status: "running" }, proposal, found.case.node, {
    code: "case_void",
    retryable: true,
    jitter: 0,
    retryAfterMs: null,
  });

  return { events: [{ type: "case_closed", case_id: found.case.id, outcome: "void" }, ...failed.events], writes: failed.writes };
};

export const advanceCase = (reviewing: Reviewing, found: CaseState): Completion => {
  const { state } = reviewing;
  if (listSilentModels(state, found).length > 0) return { events: [], writes: [] };
  const wasAsked = ownEntry(state.gates, found.case.id) !== undefined;
  if (countPeople(found.case.reviewers) > 0 && !wasAsked) return askPeople(reviewing, found);

  return closeCase(reviewing, found, getOutcome(found));
};
