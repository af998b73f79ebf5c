/** Trust log. Never a value or free text. */
import type { RefusalCode } from "@/lib/refusal";
import { entryOf } from "@/lib/engine/events/catalogue";
import type { TrustContext, TrustRow } from "@/lib/engine/events/event-entry";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { TrustEvent, TrustType } from "@/lib/engine/labels/trust-event";

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
    case "trigger":
      return `trigger:${principal.trigger}`;
    case "directory":
      return `directory:${principal.token}`;
    case "wait":
      return `wait:${principal.token}`;
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

const MOST_SOURCES = 20;

const labelled = ({ writes }: LedgerRecord): TrustRow[] =>
  writes.flatMap(({ path, label }): TrustRow[] => {
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

const rowsOf = (record: LedgerRecord, context: TrustContext): TrustRow[] => {
  if (record.refusal === null) {
    const { writes, control } = record;
    const promoted = control.filter((event) => event.type === "promoted");

    return [...labelled(record), ...control.flatMap((event) => entryOf(event).trust(event, { writes, promoted }, context))];
  }
  const { code, ids } = record.refusal;

  return [{ type: refusalType(record, code), path: null, detail: { code, ids: ids.slice(0, MOST_SOURCES), asked: record.proposal_kind } }];
};

/**
 * Lists a record's trust events.
 * @param context after it
 */
export const listTrustEvents = (record: LedgerRecord, context: TrustContext): TrustEvent[] =>
  rowsOf(record, context).map(({ type, path, detail, principal, node }, index) => ({
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
