import type { PublishedGraph } from "@/lib/graph/document";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { raiseRisk } from "@/lib/engine/approvals/signals";
import { isUntrustedControl } from "@/lib/engine/labels/control-position";
import type { Gate, RunEvent } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { getShownTo } from "@/lib/engine/approvals/policy";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { isOpenBeside } from "@/lib/people/approvers";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { findAgent } from "@/lib/engine/view";

const USER_SOURCE = "user:";

const OUTSIDE_AGENT = "outside";

const eventOf = <T extends LedgerRecord["control"][number]["type"]>(record: LedgerRecord, type: T) =>
  record.control.find((event): event is Extract<LedgerRecord["control"][number], { type: T }> => event.type === type);

/** With several deciders, a maker may be one. */
const barredFrom = (state: RunState, gate: Gate): readonly string[] => {
  const producers = ownEntry(state.cases, gate.id)?.case.producers ?? [];
  const isAlone = gate.quorum === 1;
  const makers = [...(isAlone || gate.not_publisher ? [state.start?.author] : []), ...(isAlone ? (gate.editors ?? []) : [])];
  const parties = [
    state.start?.initiator,
    ...(state.fork?.initiators ?? []),
    ...state.drivers,
    ...producers.flatMap((from) => (from.startsWith(USER_SOURCE) ? from.slice(USER_SOURCE.length) : [])),
    ...makers,
  ];

  return [...new Set(parties.flatMap((id) => id ?? []))];
};

const namedIn = ({ demands = [] }: Gate, which: "groups" | "people"): readonly string[] => [
  ...new Set(demands.flatMap((demand) => demand[which])),
];

const proposerOf = (published: PublishedGraph, record: LedgerRecord, gate: Gate): string | null => {
  const { principal } = record;
  if (principal.type === "agent") return OUTSIDE_AGENT;
  const node = published.graph.nodes.find(({ id }) => id === gate.transition.node);

  return (principal.type === "executor" ? principal.agent : null) ?? (node ? (findAgent(published, node)?.id ?? null) : null);
};

/** Row of an opened gate, or null. @param after the state after the record */
export const toOpenedRow = (root: PublishedGraph, record: LedgerRecord, after: RunState) => {
  const gate = eventOf(record, "gate_opened")?.gate;
  const gateState = gate && ownEntry(after.gates, gate.id);
  if (!gate || !gateState) return null;
  const published = getPublishedHere(root, after);
  const { transition, review_keys: _keys, demands: _demands, rules: _rules, not_publisher: _own, ...row } = gate;
  const authority = classifyAuthority(published, gate);
  // The whole workspace reads the row, so it holds no values and only what a viewer may know.
  const { lines, signals } = buildApprovalView(root, after, gateState, getShownTo("viewer"));

  return {
    ...row,
    authority,
    risk: raiseRisk(classifyRisk(authority), signals),
    signals: [...new Set(signals.map(({ code }) => code))],
    agent: proposerOf(published, record, gate),
    steered: lines.some(isUntrustedControl),
    signature: gate.signature ?? null,
    barred: barredFrom(after, gate),
    named: !isOpenBeside(gate),
    named_groups: namedIn(gate, "groups"),
    named_people: namedIn(gate, "people"),
    server: transition.effect?.server ?? null,
    tool: transition.effect?.tool ?? null,
  };
};

export const toMentionRows = (record: LedgerRecord) => {
  const { mentions = [], approval_id: approval = null, user = null } = eventOf(record, "commented") ?? {};

  return mentions.length === 0 ? null : mentions.map((person) => ({ approval_id: approval, user_id: person, by_id: user }));
};

type Escalated = Extract<RunEvent, { type: "gate_escalated" }>;

const NOT_ESCALATED = { escalated: null, escalated_group: null, widened: null };

const escalationOf = (escalated: Escalated | undefined, gate: Gate | undefined) => {
  if (!escalated) return NOT_ESCALATED;
  const { to, group = null, rule } = escalated;
  const demands = gate?.demands?.filter((demand) => demand.rule === rule && demand.escalation?.group === group);

  return { escalated: to, escalated_group: group, widened: demands?.length === 0 ? null : group };
};

const MOVES: readonly RunEvent["type"][] = ["decision_made", "gate_escalated", "gate_resolved"];

/** Changes to existing gates, or null. The end of an attempt may resolve several. */
export const toMovedRows = (record: LedgerRecord, after: RunState) => {
  if (!record.control.some(({ type }) => MOVES.includes(type))) return null;
  const made = eventOf(record, "decision_made");
  const escalated = eventOf(record, "gate_escalated");
  const outcomes = new Map(
    record.control.flatMap((event) => (event.type === "gate_resolved" ? [[event.approval_id, event.outcome] as const] : [])),
  );
  const ids = [...new Set([...(made ? [made.approval_id] : []), ...(escalated ? [escalated.approval_id] : []), ...outcomes.keys()])];

  return ids.map((id) => ({
    approval_id: id,
    outcome: outcomes.get(id) ?? null,
    decider: made?.approval_id === id ? made.user : null,
    ...escalationOf(escalated?.approval_id === id ? escalated : undefined, ownEntry(after.gates, id)?.gate),
  }));
};
