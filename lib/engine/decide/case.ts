import { opensCase } from "@/lib/graph/kind-of";
import { createSourceLabel, joinLabels } from "@/lib/graph/label";
import { getValueAtText } from "@/lib/graph/path";
import { refuse } from "@/lib/refusal";
import type { GraphNode } from "@/lib/graph/document";
import type { Designated } from "@/lib/engine/approvals/case";
import {
  getBasisAt,
  getCaseTask,
  findDesignationFault,
  isStaleCase,
  buildModel,
  openCaseHere,
  openCasesHere,
  listProducers,
  listSilentModels,
} from "@/lib/engine/approvals/cases";
import { advance, close, reviewSubject } from "@/lib/engine/decide/case-any";
import { advanceCase, createCaseState, openCase, voidCase, withCaseState } from "@/lib/engine/decide/case-end";
import { failAttempt } from "@/lib/engine/decide/complete";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import { limitReached } from "@/lib/engine/limits";
import { findCellsAt, toMemory, ownEntry, type CaseState, type RunState } from "@/lib/engine/state";
import { getFirstWords } from "@/lib/engine/thread-of";
import { isClearVerdict, parseVerdict } from "@/lib/engine/approvals/verdict-text";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

const designated = (node: GraphNode & { kind: "review" }): readonly Designated[] =>
  node.config.reviewers.map((reviewer) =>
    reviewer.type === "agent"
      ? { type: "agent", agent: reviewer.agent_id, check: null }
      : { type: "person", role: reviewer.role, count: reviewer.count },
  );

/** Opens a case about current values. */
export const decideOpenCase = ({ published, state, proposal, body }: DecideContext<"open_case">): Verdict => {
  const node = findNodeById(published, state.currentNode);
  const isDue = state.activation === body.activation && state.status === "running" && !openCaseHere(state);
  if (!opensCase(node) || !isDue) return reject(refuse("case_unknown"), state.currentNode);
  const limit = limitReached(state, proposal.at);
  if (limit) return reject(refuse(limit), node.id);
  const { target } = node.config;
  const cells = findCellsAt(state.cells, target);
  const reviewers = designated(node);
  const producers = listProducers(published, state, cells);
  const isThere = getValueAtText(toMemory(state.cells), target) !== undefined;
  const fault = isThere ? findDesignationFault(published, state, reviewers, producers, true) : "nothing_to_review";
  if (fault) {
    const failed = failAttempt(published, state, proposal, node.id, { code: fault, retryable: false, jitter: 0, retryAfterMs: null });

    return accept({ ...failed, reads: listReads(cells), node: node.id });
  }
  const reviewing = { published, state, proposal, node };
  const opened = openCase(reviewing, { type: "cell", path: target, cells: [...getBasisAt(state, target)] }, reviewers, producers);
  const found = createCaseState(state, opened);
  const then = advanceCase({ ...reviewing, state: withCaseState(state, found) }, found);

  return accept({
    events: [{ type: "case_opened", case: opened }, ...then.events],
    writes: then.writes,
    reads: listReads(cells),
    node: node.id,
  });
};

type Given = Extract<RunEvent, { type: "verdict_given" }>;

type Asked = { readonly found: CaseState; readonly index: number; readonly agent: string };

const askedAs = (state: RunState, task: string): Asked | null => {
  for (const found of openCasesHere(state)) {
    const index = listSilentModels(state, found).find((at) => getCaseTask(state, found, at) === task);
    const reviewer = index === undefined ? undefined : found.case.reviewers[index];
    if (index !== undefined && reviewer?.type === "agent") return { found, index, agent: reviewer.agent };
  }

  return null;
};

/** Takes the verdict from the recorded call. */
export const decideVerdict = ({
  published,
  state,
  proposal,
  body,
  node,
}: DecideContext<"verdict"> & { readonly node: GraphNode }): Verdict => {
  const asked = askedAs(state, body.task);
  // Calls from before the case concern another subject.
  const said = asked && getFirstWords(state, body.task, asked.found.seq, isClearVerdict);
  if (!asked || said === null) return reject(refuse("verdict_unknown"), node.id);
  const { found } = asked;
  if (proposal.at >= found.case.expires_at)
    return accept({ ...close({ published, state, proposal, node }, found, "expired"), node: node.id });
  const { codes, length } = reviewSubject(state, node, found);
  const { verdict, findings, comment } = parseVerdict(said, codes, length);
  const agent = published.agents.find(({ id }) => id === asked.agent);
  const given: Given = {
    type: "verdict_given",
    case_id: found.case.id,
    reviewer: asked.index,
    by: `agent:${asked.agent}`,
    model: agent ? buildModel(state, agent) : null,
    verdict,
    findings: [...findings],
  };
  const heard: CaseState = { ...found, verdicts: [...found.verdicts, given] };
  const then = advance({ published, state: withCaseState(state, heard), proposal, node }, heard);
  const label = joinLabels([getContextLabel(published, state, node, body.task), createSourceLabel("untrusted", "internal", given.by)]);

  return accept({
    events: [given, ...then.events],
    writes: [{ path: `$verdict.${found.case.id}.${found.verdicts.length}`, value: comment, label }, ...then.writes],
    reads: listReads(listInfluences(published, state, node, body.task)),
    node: node.id,
  });
};

/** Closes an expired or outdated case. */
export const decideCloseCase = ({ published, state, proposal, body }: DecideContext<"close_case">): Verdict => {
  const found = ownEntry(state.cases, body.case_id);
  const node = findNodeById(published, state.currentNode);
  if (found?.status !== "open" || !openCasesHere(state).includes(found) || state.status === "waiting" || !node) {
    return reject(refuse("case_unknown"), state.currentNode);
  }
  if (isStaleCase(state, found)) return accept({ ...voidCase(published, state, proposal, found), node: node.id });
  if (proposal.at < found.case.expires_at) return reject(refuse("case_unknown"), node.id);

  return accept({ ...close({ published, state, proposal, node }, found, "expired"), node: node.id });
};
