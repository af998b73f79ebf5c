import { buildApprovalView, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { findCall } from "@/lib/engine/approvals/call-lines";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { findChangesObjection } from "@/lib/engine/decide/changes";
import { editObjection } from "@/lib/engine/decide/edit";
import { computeEnvelopeFrom } from "@/lib/engine/envelope/remaining";
import type { RatesByModel } from "@/lib/engine/envelope/envelope";
import { getPublishedHere } from "@/lib/engine/frame";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { getViewingPath, recordedViewingSchema } from "@/lib/engine/approvals/viewing";
import type { Sealed } from "@/lib/engine/labels/reading";
import { listPolicyFindings } from "@/lib/engine/approvals/policy-findings";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { describeExpiry, describeRejection } from "@/lib/engine/approvals/rejection";
import { findAside, isSimulated, getKnownValue, ownEntry, type GateState, type RunState } from "@/lib/engine/state";
import { isTerminal } from "@/lib/engine/event";
import type { Classification } from "@/lib/graph/label";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Role } from "@/lib/roles";
import { listComments } from "@/server/web/read-comments";
import { canDecide, getReason, type CanDecide } from "./can-decide";

export type Beside = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly gateState: GateState;
  readonly records: readonly SignedRecord[];
  readonly viewer: { readonly id: string; readonly role: Role; readonly auditor: boolean };
  readonly clearance: Classification;
  readonly sealed: Sealed;
  readonly nowMs: number;
  readonly at: (seq: number) => RunState;
};

/** Sealed values stay sealed in the replaced gate. */
const supersededView = ({
  published,
  state,
  gateState,
  clearance,
  sealed,
  at,
}: Beside): { readonly approvalId: string; readonly view: ApprovalView; readonly status: GateState["status"] } | null => {
  const { supersedes } = gateState.gate;
  const before = supersedes === undefined ? undefined : ownEntry(state.gates, supersedes);
  if (!before) return null;
  const seq = findAside(state, `$pending.${before.gate.id}`).at(-1)?.seq;
  if (seq === undefined || before.gate.reason === "review") return null;
  // The reader looks for changes since.
  const then = at(seq);
  const asked = ownEntry(then.gates, before.gate.id) ?? before;

  return { approvalId: before.gate.id, status: before.status, view: buildApprovalView(published, then, asked, clearance, sealed) };
};

const refusedAs = (code: Parameters<typeof getReason>[0], { state, gateState, viewer }: Beside): CanDecide => ({
  ok: false,
  code,
  reason: getReason(code, state, gateState, viewer),
});

const mayEdit = (beside: Beside): CanDecide => {
  const { published, state, gateState, viewer, nowMs } = beside;
  const person = { type: "user", ...viewer } as const;
  const code = editObjection(published, { published: getPublishedHere(published, state), state, gateState, person }, nowMs);

  return code ? refusedAs(code, beside) : { ok: true };
};

const mayRequestChanges = (beside: Beside): CanDecide => {
  const { published, state, gateState, viewer, nowMs } = beside;
  const may = canDecide(state, gateState, viewer, nowMs);
  const code = may.ok ? findChangesObjection(getPublishedHere(published, state), state, gateState) : null;

  return code ? refusedAs(code, beside) : may;
};

/** Micro-USD. `worst_after` bounds the whole run; null: unbounded. */
const costOf = ({ published, state }: Beside, rates: RatesByModel) => {
  const { start } = state;
  const soFar = state.costMicroUsd;
  if (!start || isTerminal(state.status)) return { soFar, worstAfter: soFar };
  const starting = { model: start.model, rates, limits: start.limits ?? {} };
  const ahead = computeEnvelopeFrom(published, state, starting, isSimulated(state) ? "simulate" : "live").costMicroUsd;
  const bounds = [start.budget_micro_usd, ahead === null ? null : soFar + ahead].filter((bound) => bound !== null);

  return { soFar, worstAfter: bounds.length === 0 ? null : Math.min(...bounds) };
};

/** Returns the earliest known read of the values before, or null. */
const getReadAt = ({ published, state, gateState, records }: Beside): number | null => {
  const pending = getKnownValue(findAside(state, `$pending.${gateState.gate.id}`).at(-1));
  const subjects = findCall(getPublishedHere(published, state), state, gateState, pending)?.subjects ?? [];
  const times = subjects.flatMap(({ target, other }) => records[(target ?? other)?.cell.seq ?? -1]?.record.at ?? []);

  return times.length === 0 ? null : Math.min(...times);
};

/** Decisions with what each reviewer had seen, if the page told it. */
const decisionsOf = ({ state, gateState, records }: Beside) => {
  const { id } = gateState.gate;
  const viewings = findAside(state, getViewingPath(id));

  return gateState.decisions.map(({ user, decision, passkey, for: chain = [] }) => {
    const made = records.find(({ record }) =>
      record.control.some((event) => event.type === "decision_made" && event.approval_id === id && event.user === user),
    )?.record;
    const viewed = recordedViewingSchema.safeParse(getKnownValue(viewings.find(({ seq }) => seq === made?.seq))).data;
    const viewing = viewed ? { openMs: viewed.open_ms, opened: viewed.opened, unopened: viewed.unopened, signals: viewed.signals } : null;

    return {
      user,
      for: chain.at(-1) ?? null,
      decision,
      at: made?.at ?? null,
      seq: made?.seq ?? null,
      isSigned: passkey !== undefined,
      viewing,
    };
  });
};

export const describeGate = (beside: Beside, view: ApprovalView, rates: RatesByModel) => {
  const { published, state, gateState, nowMs } = beside;
  const authority = classifyAuthority(getPublishedHere(published, state), gateState.gate);

  return {
    authority: { class: authority, risk: raiseRisk(classifyRisk(authority), view.signals) },
    decisions: decisionsOf(beside),
    comments: listComments(beside, beside, gateState.gate.id),
    readAt: getReadAt(beside),
    supersedes: supersededView(beside),
    editors: gateState.gate.editors ?? [],
    mayEdit: mayEdit(beside),
    mayRequestChanges: mayRequestChanges(beside),
    ifRejected: describeRejection(published, state, gateState, nowMs),
    ifExpired: describeExpiry(published, state, gateState),
    policy: listPolicyFindings(published, state, gateState, view),
    cost: costOf(beside, rates),
  };
};
