import { z } from "zod";
import { escalatesToSchema } from "@/lib/graph/kinds/fields";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { groupNameSchema, MOST_DELEGATIONS, MOST_NAMED } from "@/lib/people/approvers";
import { recordedAssertionSchema } from "@/lib/engine/approvals/assertion";
import { receiptSchema } from "@/lib/engine/approvals/receipt";
import type { Put } from "@/lib/engine/copy-on-write";
import { decisionSchema, gateSchema, viaSchema, type Via } from "@/lib/engine/event";
import {
  defineEvent,
  keepState,
  LINE_ONLY,
  none,
  step,
  type Line,
  type TrustContext,
  type TrustRecord,
  type TrustRow,
} from "@/lib/engine/events/event-entry";
import { ownEntry, type GateState, type RunState } from "@/lib/engine/state";

export const decisionMadeSchema = z.strictObject({
  type: z.literal("decision_made"),
  approval_id: uuidSchema,
  user: uuidSchema,
  decision: decisionSchema,
  view_digest: hexDigestSchema,
  passkey: recordedAssertionSchema.exactOptional(),
  /** Demanded groups of the one who counts. */
  groups: z.array(groupNameSchema).min(1).max(MOST_NAMED).exactOptional(),
  /** Nearest first; the last counts in the author's stead. */
  for: z.array(uuidSchema).min(1).max(MOST_DELEGATIONS).exactOptional(),
  /** Approvers who lost the right since; not counted. */
  lapsed: z.array(uuidSchema).min(1).max(200).exactOptional(),
  via: viaSchema.exactOptional(),
  /** Personal token that sent it. */
  token: uuidSchema.exactOptional(),
});
type DecisionMade = z.infer<typeof decisionMadeSchema>;

export const gateResolvedSchema = z.strictObject({
  type: z.literal("gate_resolved"),
  approval_id: uuidSchema,
  outcome: z.enum(["approved", "rejected", "expired", "void", "changes_requested", "superseded"]),
  receipt: receiptSchema.nullable(),
});
type GateResolved = z.infer<typeof gateResolvedSchema>;

const gateEscalatedSchema = z.strictObject({
  type: z.literal("gate_escalated"),
  approval_id: uuidSchema,
  to: escalatesToSchema,
  group: groupNameSchema.exactOptional(),
  /** Workspace rule that escalates; absent: the graph. */
  rule: uuidSchema.exactOptional(),
});
export type TimedEscalation = Omit<z.infer<typeof gateEscalatedSchema>, "type" | "approval_id"> & {
  /** ms since 1970. */
  readonly at: number;
};

export const changeGate = (state: RunState, id: string, put: Put, change: (gate: GateState) => GateState): RunState => {
  const gate = state.gates[id];

  return gate ? { ...state, gates: put(state.gates, id, change(gate)) } : state;
};

export const listApprovers = ({ decisions }: Pick<GateState, "decisions">): string[] =>
  decisions.filter(({ decision }) => decision === "approve").map(({ user }) => `user:${user}`);

const listDeclassified = (event: GateResolved, { writes, promoted }: TrustRecord, { gates }: TrustContext): readonly TrustRow[] => {
  const gate = ownEntry(gates, event.approval_id);
  if (event.outcome !== "approved" || !gate) return [];
  const raised = promoted.filter(({ approval_id: id }) => id === event.approval_id).map(({ to }) => to);
  const asked = writes.filter(({ path, label }) => !path.startsWith("$") && label.integrity === "reviewed").map(({ path }) => path);

  return [...raised, ...(gate.gate.reason === "requested" ? asked : [])].map((path) => ({
    type: "declassification",
    path,
    detail: { approval: event.approval_id, people: listApprovers(gate) },
  }));
};

const RESOLVED = {
  approved: { marker: "approved", title: "Gate approved" },
  rejected: { marker: "rejected", title: "Gate rejected" },
  expired: { marker: "gate", title: "Gate expired" },
  void: { marker: "step", title: "Gate voided" },
  changes_requested: { marker: "rejected", title: "Changes requested" },
  superseded: { marker: "step", title: "Gate superseded by an edit" },
} as const satisfies Record<GateResolved["outcome"], Omit<Line, "detail">>;

const DECIDED = {
  approve: { marker: "approved", title: "Approved" },
  reject: { marker: "rejected", title: "Rejected" },
  abstain: { marker: "step", title: "Abstained" },
  request_changes: { marker: "rejected", title: "Changes requested" },
} as const satisfies Record<DecisionMade["decision"], Omit<Line, "detail">>;

const FROM = { mail: "From e-mail", slack: "From Slack", push: "From web push" } as const satisfies Record<Via, string>;

const decidedLine = ({ decision, via, token, lapsed = [] }: DecisionMade): Line => ({
  ...DECIDED[decision],
  detail: [
    ...(via ? [FROM[via]] : []),
    ...(token ? ["Over the API"] : []),
    ...(lapsed.length === 0 ? [] : [`${lapsed.length} earlier approval${lapsed.length === 1 ? "" : "s"} no longer counted`]),
  ].join(" · "),
});

export const GATE_EVENTS = {
  gate_opened: defineEvent({
    schema: z.strictObject({ type: z.literal("gate_opened"), gate: gateSchema }),
    about: "An approval request opened.",
    reduce: (state, { gate }, _moment, put) => ({
      ...state,
      gates: put(state.gates, gate.id, { gate, status: "open", decisions: [], receipt: null, usedBy: null }),
    }),
    weight: 0,
    isMentioned: false,
    line: ({ gate }) => ({ marker: "gate", title: "Waiting for a person", detail: gate.prompt }),
    tags: () => ["gate"],
    compared: ({ gate }) => ["asked", gate.node, gate.reason],
    trust: none,
  }),
  decision_made: defineEvent({
    schema: decisionMadeSchema,
    about: "A person decided an approval request.",
    reduce: (state, event, _moment, put) =>
      changeGate(state, event.approval_id, put, (gate) => ({
        ...gate,
        decisions: [...gate.decisions.filter(({ user }) => event.lapsed?.includes(user) !== true), event],
      })),
    weight: 2,
    isMentioned: false,
    line: decidedLine,
    tags: () => ["decision"],
    compared: ({ decision }) => ["decided", decision],
    trust: ({ approval_id: approval, user, decision, view_digest: view }) => [
      { type: "decision", path: null, principal: `user:${user}`, detail: { approval, decision, view } },
    ],
  }),
  commented: defineEvent({
    schema: z.strictObject({
      type: z.literal("commented"),
      approval_id: uuidSchema.exactOptional(),
      user: uuidSchema,
      via: viaSchema.exactOptional(),
      mentions: z.array(uuidSchema).exactOptional(),
    }),
    about: "A person commented on an approval request or on the run.",
    reduce: keepState,
    weight: 33,
    ...LINE_ONLY,
    line: ({ via }) => step("Comment", via && FROM[via]),
  }),
  gate_escalated: defineEvent({
    schema: gateEscalatedSchema,
    about: "An undecided approval request was escalated.",
    reduce: (state, { type: _type, approval_id: id, ...escalation }, { at }, put) =>
      changeGate(state, id, put, (gate) => ({
        ...gate,
        escalatedAt: at,
        escalations: [...(gate.escalations ?? []), { ...escalation, at }],
      })),
    weight: 39,
    isMentioned: false,
    line: ({ to, group }) => ({ marker: "gate", title: `Escalated to ${group ?? to}`, detail: "No decision yet" }),
    tags: () => ["gate"],
    compared: ({ to, group = "" }) => ["escalated", to, group],
    trust: none,
  }),
  gate_resolved: defineEvent({
    schema: gateResolvedSchema,
    about: "An approval request closed, with the receipt if it was approved.",
    reduce: (state, { approval_id: id, outcome, receipt }, _moment, put) =>
      changeGate(state, id, put, (gate) => ({ ...gate, status: outcome, receipt })),
    weight: 1,
    isMentioned: false,
    line: ({ outcome }) => ({ ...RESOLVED[outcome], detail: outcome === "expired" ? "No decision in time" : "" }),
    tags: () => ["decision"],
    compared: ({ outcome }) => ["resolved", outcome],
    trust: listDeclassified,
  }),
};
