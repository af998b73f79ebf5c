/** Judges by rules and verdicts, without a model. */
import type { NodeOf, PublishedGraph } from "@/lib/graph/document";
import { extractPath, findFormFaults } from "@/lib/graph/extract-form";
import { passes } from "@/lib/graph/judge-rules";
import { fillsForm } from "@/lib/graph/kind-of";
import { CLEAN, joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { getValueAtText } from "@/lib/graph/path";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { findCaseAbout, getOutcome, getStanding, wasRefused } from "@/lib/engine/approvals/cases";
import { failAttempt } from "@/lib/engine/decide/complete";
import { finish } from "@/lib/engine/decide/finish";
import type { Choice } from "@/lib/engine/decide/route";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import type { RunEvent } from "@/lib/engine/event";
import type { Proposal } from "@/lib/engine/proposal";
import { findCellsAt, getControlLabel, toMemory, type CaseState, type RunState } from "@/lib/engine/state";
import { getContextLabel, getEffectiveGrants } from "@/lib/engine/view";

type Judging = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: NodeOf<"judge">;
};
type Judged = Extract<RunEvent, { type: "judged" }>;
type Judgement = Pick<Judged, "rules" | "reason">;

const ruleReason = (node: NodeOf<"judge">, names: readonly string[]): Judged["reason"] | null => {
  const counts = names.map((name) => node.config.rules.filter((rule) => rule.field === name).length);
  if (counts.some((count) => count > 1)) return "rule_doubled";
  if (counts.includes(0)) return "rule_missing";

  return node.config.rules.every((rule) => names.includes(rule.field)) ? null : "malformed";
};

/** Every field needs a passed rule; values from extracts must match a form. */
const byRules = ({ published, node }: Judging, value: Json | undefined): Judgement => {
  if (!isJsonObject(value)) return { rules: [], reason: value === undefined ? "no_fields" : "malformed" };
  const forms = published.graph.nodes.flatMap((other) =>
    fillsForm(other) && extractPath(other) === node.config.from ? [other.config.fields] : [],
  );
  const form = forms.find((fields) => findFormFaults(fields, value) === null);
  const there = Object.keys(value);
  const names = form?.map((field) => field.name) ?? there;
  const rules = node.config.rules.map(({ field, rule }) => {
    const member = ownMember(value, field);
    // Omitted optional fields raise nothing.
    const isLeftOut = member === undefined && form?.some(({ name, required }) => name === field && !required) === true;

    return { field, passed: isLeftOut || (member !== undefined && passes(rule, member)) };
  });
  if (there.length === 0) return { rules, reason: "no_fields" };
  if (forms.length > 0 && !form) return { rules, reason: "malformed" };
  const reason = ruleReason(node, names);

  return { rules, reason: reason ?? (rules.every(({ passed }) => passed) ? "passed" : "rule_failed") };
};

/** Recounts: a stored outcome proves nothing. */
const byCase = (state: RunState, found: CaseState | undefined): Judged["reason"] => {
  if (!found || found.status === "open") return "no_case";
  const { missing, approvals } = getStanding(found);
  if (missing) return "verdict_missing";
  if (approvals < found.case.quorum) return "quorum";

  return found.status === "passed" && getOutcome(found) === "passed" && !wasRefused(state, found) ? "passed" : "not_passed";
};

const approversOf = ({ verdicts }: CaseState): string[] =>
  verdicts.filter(({ verdict }) => verdict === "approve").map(({ by }) => `approver:${by.replace(/^user:/u, "")}`);

const raisedLabel = ({ state, node }: Judging, found: CaseState | undefined): Label => ({
  ...joinLabels([
    getControlLabel(state),
    ...findCellsAt(state.cells, node.config.from).map((cell) => cell.label),
    createSourceLabel("reviewed", "public", `judge:${node.id}`),
    { ...CLEAN, provenance: found ? approversOf(found) : [] },
  ]),
  integrity: "reviewed",
});

const wayOf = ({ state, node }: Judging, label: Label, to: string | null): Choice | null => {
  const { rejection_node: rejection, from } = node.config;

  return rejection === undefined ? null : { to, label, looked: findCellsAt(state.cells, from), managed: [rejection] };
};

export const promoteCase = (node: NodeOf<"judge">, caseId: string, approvalId: string | null = null): RunEvent => ({
  type: "promoted",
  approval_id: approvalId,
  case_id: caseId,
  from: node.config.from,
  to: node.config.to,
});

export const findJudgedCase = (state: RunState, { config }: NodeOf<"judge">): CaseState | undefined =>
  findCaseAbout(state, config.review, config.from);

export const decideJudge = (judging: Judging): Verdict => {
  const { published, state, proposal, node } = judging;
  const value = getValueAtText(toMemory(state.cells), node.config.from);
  const found = findJudgedCase(state, node);
  const { rules, reason: ruled } = byRules(judging, value);
  const reason = ruled === "passed" ? byCase(state, found) : ruled;
  const judged: Judged = {
    type: "judged",
    node: node.id,
    activation: state.activation ?? 0,
    case_id: found?.case.id ?? null,
    outcome: reason === "passed" ? "approved" : "rejected",
    rules: [...rules],
    reason,
  };
  const reads = listReads(findCellsAt(state.cells, node.config.from));
  const label = raisedLabel(judging, found);
  if (reason === "passed" && found && value !== undefined) {
    const grants = getEffectiveGrants(published, node).write;
    const raised = checkWrites(published, state, grants, [{ path: node.config.to, value }], label);
    if (!raised.ok) return reject(raised.error, node.id);
    const done = finish({ published, state, proposal, node, choice: wayOf(judging, label, null) }, raised.value);
    const waits = done.events.some((event) => event.type === "gate_opened" && event.gate.reason === "protected_key");

    return accept({
      events: [judged, ...(waits ? [] : [promoteCase(node, found.case.id)]), ...done.events],
      writes: done.writes,
      reads,
      node: node.id,
    });
  }
  if (node.config.rejection_node !== undefined) {
    const done = finish(
      { published, state, proposal, node, choice: wayOf(judging, getContextLabel(published, state, node), node.config.rejection_node) },
      { writes: [], protectedKeys: [] },
    );

    return accept({ events: [judged, ...done.events], writes: done.writes, reads, node: node.id });
  }
  const failed = failAttempt(published, state, proposal, node.id, {
    code: "judge_rejected",
    retryable: false,
    jitter: 0,
    retryAfterMs: null,
  });

  return accept({ events: [judged, ...failed.events], writes: failed.writes, reads, node: node.id });
};
