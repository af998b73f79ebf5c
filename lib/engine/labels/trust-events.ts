/** Trust log. Never a value or free text. */
import type { RefusalCode } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownEntry, type RunState } from "@/lib/engine/state";
import type { TrustEvent, TrustType } from "@/lib/engine/labels/trust-event";

export type TrustContext = Pick<RunState, "cases" | "gates">;

type Told = Pick<TrustEvent, "type" | "path" | "detail"> & { readonly principal?: string; readonly node?: string };
type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export const formatPrincipal = (principal: Principal): string => {
  switch (principal.type) {
    case "user":
      return `user:${principal.id}`;
    case "agent":
      return `token:${principal.token}`;
    case "executor":
      return principal.agent === null ? `node:${principal.node}` : `agent:${principal.agent}`;
    case "engine":
      return "engine";
    default:
      return principal satisfies never;
  }
};

/** Refusals of the principal, not of form or timing. */
const DENIALS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  "not_found",
  "principal_not_allowed",
  "action_not_granted",
  "key_undeclared",
  "write_not_granted",
  "read_not_granted",
  "integrity_too_low",
  "key_protected",
  "tool_not_granted",
  "tool_unavailable",
  "tool_drifted",
  "sink_not_cleared",
  "role_missing",
  "own_run",
  "own_version",
  "scope_missing",
  "supervisor_routing",
  "handoff_not_declared",
  "verdict_unknown",
  "verification_failed",
]);

const refusalType = ({ principal, proposal_kind: kind }: LedgerRecord, code: RefusalCode): TrustType => {
  if (kind === "open_cell" || code === "opening_denied") return "opening_denied";
  if (principal.type === "agent") return "token_refused";

  return DENIALS.has(code) ? "access_denied" : "refused";
};

/** Per row; totals are given too. */
const MOST_SOURCES = 20;

const labelled = ({ writes }: LedgerRecord): Told[] =>
  writes.flatMap(({ path, label }): Told[] => {
    if (label.integrity === "trusted") return [];
    const { confidentiality, provenance } = label;

    return [
      {
        type: label.integrity === "untrusted" ? "taint_assigned" : "reviewed_assigned",
        path,
        detail: { confidentiality, sources: provenance.length, provenance: provenance.slice(0, MOST_SOURCES) },
      },
    ];
  });

const peopleOf = ({ approval_id: approval, case_id: about }: EventOf<"promoted">, { cases, gates }: TrustContext): string[] => {
  const decided = approval === null ? [] : (ownEntry(gates, approval)?.decisions ?? []);
  const judged = about === null ? [] : (ownEntry(cases, about)?.verdicts ?? []);
  const approved = [
    ...decided.filter(({ decision }) => decision === "approve").map(({ user }) => `user:${user}`),
    ...judged.filter(({ verdict, by }) => verdict === "approve" && by.startsWith("user:")).map(({ by }) => by),
  ];

  return [...new Set(approved)].toSorted();
};

const promotion = (event: EventOf<"promoted">, context: TrustContext): Told => ({
  type: "promotion",
  path: event.to,
  detail: { from: event.from, approval: event.approval_id, case: event.case_id, people: peopleOf(event, context) },
});

const raised = (record: LedgerRecord, event: EventOf<"gate_resolved">, { gates }: TrustContext): Told[] => {
  const gate = ownEntry(gates, event.approval_id);
  if (event.outcome !== "approved" || !gate) return [];
  const promoted = record.control.flatMap((each) => (each.type === "promoted" && each.approval_id === event.approval_id ? [each.to] : []));
  const asked = record.writes.filter(({ path, label }) => !path.startsWith("$") && label.integrity === "reviewed").map(({ path }) => path);
  const people = gate.decisions.filter(({ decision }) => decision === "approve").map(({ user }) => `user:${user}`);

  return [...promoted, ...(gate.gate.reason === "requested" ? asked : [])].map((path) => ({
    type: "declassification",
    path,
    detail: { approval: event.approval_id, people },
  }));
};

const told = (record: LedgerRecord, event: RunEvent, context: TrustContext): Told[] => {
  switch (event.type) {
    case "promoted":
      return [promotion(event, context)];
    case "gate_resolved":
      return raised(record, event, context);
    case "decision_made":
      return [
        {
          type: "decision",
          path: null,
          principal: `user:${event.user}`,
          detail: { approval: event.approval_id, decision: event.decision, view: event.view_digest },
        },
      ];
    case "case_opened": {
      const { id, node, subject, reviewers, quorum } = event.case;

      return [
        {
          type: "case_opened",
          node,
          path: subject.type === "cell" ? subject.path : null,
          detail: { case: id, subject: subject.type, reviewers: reviewers.length, quorum },
        },
      ];
    }
    case "verdict_given":
      return [
        {
          type: "verdict",
          path: null,
          principal: event.by,
          detail: {
            case: event.case_id,
            verdict: event.verdict,
            model: event.model,
            reviewer: event.reviewer,
            findings: event.findings.length,
          },
        },
      ];
    case "case_closed":
      return [{ type: "case_closed", path: null, detail: { case: event.case_id, outcome: event.outcome } }];
    case "judged": {
      const failed = event.rules.filter(({ passed }) => !passed).map(({ field }) => field);

      return [
        {
          type: "judged",
          node: event.node,
          path: null,
          detail: { case: event.case_id, outcome: event.outcome, reason: event.reason, failed },
        },
      ];
    }
    case "cell_opened":
      return [
        {
          type: "opening",
          path: event.path,
          principal: event.by,
          detail: { of: event.seq, cell: event.index, purpose: event.purpose, case: event.case_id },
        },
      ];
    case "action_chosen":
      return [
        { type: "token_step", node: event.action, path: null, principal: `token:${event.token}`, detail: { session: event.session } },
      ];
    case "cells_shredded":
      return [{ type: "shred", path: null, detail: { run: event.run, reason: event.reason, cells: event.cells.length } }];
    case "run_started":
    case "run_forked":
    case "status_changed":
    case "node_entered":
    case "node_completed":
    case "attempt_failed":
    case "task_failed":
    case "budget_reserved":
    case "reservation_released":
    case "model_called":
    case "budget_threshold":
    case "handed_off":
    case "supervisor_chose":
    case "frame_entered":
    case "frame_ended":
    case "frame_left":
    case "action_awaited":
    case "compensation_pushed":
    case "compensation_settled":
    case "unwinding":
    case "effect_intended":
    case "effect_settled":
    case "gate_opened":
    case "commented":
    case "passkey_registered":
    case "passkey_revoked":
    case "passkey_allowed":
    case "countersigned":
    case "admin_changed":
      return [];
    default:
      return event satisfies never;
  }
};

const toldOf = (record: LedgerRecord, context: TrustContext): Told[] => {
  if (record.refusal === null) return [...labelled(record), ...record.control.flatMap((event) => told(record, event, context))];
  const { code, ids } = record.refusal;

  return [{ type: refusalType(record, code), path: null, detail: { code, ids: ids.slice(0, MOST_SOURCES), asked: record.proposal_kind } }];
};

/**
 * Lists a record's trust events.
 * @param context after it
 */
export const listTrustEvents = (record: LedgerRecord, context: TrustContext): TrustEvent[] =>
  toldOf(record, context).map(({ type, path, detail, principal, node }, index) => ({
    type,
    run: record.run,
    seq: record.seq,
    index,
    at: record.at,
    principal: principal ?? formatPrincipal(record.principal),
    node: node ?? record.node,
    path,
    detail,
  }));
