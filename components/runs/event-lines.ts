import type { RunEvent } from "@/lib/engine/event";
import { count, formatMoney } from "@/lib/format";
import type { NameNode } from "./node-names";

export type Marker = "refusal" | "gate" | "approved" | "rejected" | "effect" | "model" | "failure" | "end" | "step" | "malformed";

export type Line = { readonly marker: Marker; readonly title: string; readonly detail: string };

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const RESOLVED = {
  approved: { marker: "approved", title: "Gate approved" },
  rejected: { marker: "rejected", title: "Gate rejected" },
  expired: { marker: "rejected", title: "Gate expired" },
  void: { marker: "step", title: "Gate voided" },
  changes_requested: { marker: "rejected", title: "Changes requested" },
  superseded: { marker: "step", title: "Gate superseded by an edit" },
} as const satisfies Record<EventOf<"gate_resolved">["outcome"], Omit<Line, "detail">>;

const SETTLED = { ok: "Tool call succeeded", tool_error: "Tool returned an error", abandoned: "Tool call abandoned" } as const;

const UNDONE = {
  done: { marker: "effect", title: "Rolled back", detail: "" },
  failed: { marker: "failure", title: "Rollback failed", detail: "the rollback call failed" },
  declined: { marker: "rejected", title: "Not rolled back", detail: "a person declined the rollback" },
} as const satisfies Record<EventOf<"compensation_settled">["outcome"], Line>;

const DIGEST_SHOWN = 8;

const tokensText = (tokens: number): string => `${count(tokens)} ${tokens === 1 ? "token" : "tokens"}`;

/** Only limits below the version's. */
const allowed = ({ limits }: EventOf<"run_started">): readonly string[] => [
  ...(limits?.max_token_budget === undefined ? [] : [`max ${tokensText(limits.max_token_budget)}`]),
  ...(limits?.budget_micro_usd === undefined ? [] : [`max ${formatMoney(limits.budget_micro_usd)}`]),
];

const step = (title: string, detail = ""): Line => ({ marker: "step", title, detail });

const amount = (tokens: number, costMicroUsd: number): string => `${tokensText(tokens)}, ${formatMoney(costMicroUsd)}`;

/** A task is part of a node's work, such as an item or a voter. */
const withTask = (text: string, task: string): string => (task === "" ? text : `${text} · ${task}`);

const intended = ({ effect, effect_class: effectClass, undoes }: EventOf<"effect_intended">): Line => ({
  marker: "effect",
  title: `${undoes === null ? "Calls" : "Rolls back with"} ${effect.server}.${effect.tool}`,
  detail: effectClass,
});

const threshold = ({ scope, measure, percent }: EventOf<"budget_threshold">): Line => ({
  marker: percent === 100 ? "failure" : "step",
  title: `${percent}% of the ${measure === "tokens" ? "token" : "cost"} budget used`,
  detail: scope === "run" ? "whole run" : scope,
});

const DECIDED = {
  approve: { marker: "approved", title: "Approved" },
  reject: { marker: "rejected", title: "Rejected" },
  abstain: { marker: "step", title: "Abstained" },
  request_changes: { marker: "rejected", title: "Changes requested" },
} as const satisfies Record<EventOf<"decision_made">["decision"], Omit<Line, "detail">>;

const decided = ({ decision, lapsed = [] }: EventOf<"decision_made">): Line => ({
  ...DECIDED[decision],
  detail: lapsed.length === 0 ? "" : `${lapsed.length} earlier approval${lapsed.length === 1 ? "" : "s"} no longer counted`,
});

const statusChanged = ({ to, reason }: EventOf<"status_changed">): Line => ({
  marker: to === "failed" || to === "timeout" ? "failure" : "end",
  title: `Run ${to}`,
  detail: reason ?? "",
});

const changed = (change: EventOf<"run_forked">["change"]): string => {
  switch (change.type) {
    case "none":
      return "no change";
    case "model":
      return `model ${change.model}`;
    case "version":
      return `version ${change.graph_hash.slice(0, DIGEST_SHOWN)}`;
    case "strict_taint":
      return `strict taint ${change.value ? "on" : "off"}`;
    case "route":
      return `route ${change.edge}`;
    case "decision":
      return `gate decided: ${change.decision}`;
    case "input":
      return `changed input ${change.path}`;
    case "memory":
      return `changed value of ${change.path}`;
    case "prompt":
      return `changed prompt of ${change.agent}`;
    case "tool_result":
      return "changed tool result";
    default:
      return change satisfies never;
  }
};

const forked = ({ parent_seq: seq, change, effects }: EventOf<"run_forked">): Line =>
  step(
    seq === 0 ? "Forked from the start of another run" : `Forked after record ${seq - 1} of another run`,
    `${changed(change)} · ${effects === "simulate" ? "simulated" : "live"}`,
  );

/** Describes an event. @param name for its graph's nodes */
export const formatLine = (event: RunEvent, name: NameNode): Line => {
  switch (event.type) {
    case "gate_opened":
      return { marker: "gate", title: "Waiting for a person", detail: event.gate.prompt };
    case "gate_resolved":
      return { ...RESOLVED[event.outcome], detail: "" };
    case "decision_made":
      return decided(event);
    case "commented":
      return step("Comment");
    case "promoted":
      return { marker: "approved", title: `${event.to} marked as reviewed`, detail: `value from ${event.from}` };
    case "action_awaited":
      return step(
        event.cause === "failed" ? "Action failed; run stays at the previous step" : "Waiting for an agent to take an action",
        event.actions.map(({ node }) => name(node)).join(", "),
      );
    case "action_chosen":
      return step(`Agent took ${name(event.action)}`, event.inputs.join(", "));
    case "case_opened":
      return {
        marker: "gate",
        title: "Review case opened",
        detail: `reviewers ${event.case.reviewers.length}, quorum ${event.case.quorum}`,
      };
    case "verdict_given":
      return { marker: event.verdict === "approve" ? "approved" : "failure", title: `Verdict: ${event.verdict}`, detail: event.by };
    case "case_closed":
      return { marker: event.outcome === "passed" ? "approved" : "failure", title: `Review case ${event.outcome}`, detail: "" };
    case "judged":
      return { marker: event.outcome === "approved" ? "approved" : "failure", title: `Judged: ${event.outcome}`, detail: event.reason };
    case "cell_opened":
      return step("Sealed value opened", `${event.path} · ${event.purpose} · ${event.by}`);
    case "cells_shredded":
      return step("Values shredded", `${event.cells.length} of run ${event.run.slice(0, 8)}: ${event.reason}`);
    case "passkey_registered":
      return step("Passkey registered", `${event.credential_id.slice(0, 8)} for ${event.rp_id}`);
    case "passkey_revoked":
      return step("Passkey revoked", event.credential_id.slice(0, 8));
    case "passkey_allowed":
      return step("New passkey allowed", event.user);
    case "countersigned":
      return step("Signed with a passkey", event.asked.kind.replaceAll("_", " "));
    case "admin_changed":
      return step(`Admin changed ${event.area}`, `${event.step.replaceAll("_", " ")}: ${event.subject}`);
    case "effect_intended":
      return intended(event);
    case "effect_settled":
      return {
        marker: event.outcome === "ok" ? "effect" : "failure",
        title: SETTLED[event.outcome],
        detail: event.simulated ? "simulated, tool not called" : "",
      };
    case "compensation_pushed":
      return step("Can be rolled back", `with ${event.server}.${event.tool}`);
    case "compensation_settled":
      return UNDONE[event.outcome];
    case "unwinding":
      return { marker: "failure", title: "Rolling back", detail: `then ${event.to}: ${event.reason}` };
    case "model_called":
      return { marker: "model", title: "Model call", detail: withTask(event.usage.model, event.task) };
    case "budget_reserved":
      return step("Budget reserved", withTask(`up to ${amount(event.tokens, event.cost_micro_usd)}`, event.task));
    case "reservation_released":
      return step("Budget released", `${amount(event.tokens, event.cost_micro_usd)} spent`);
    case "budget_threshold":
      return threshold(event);
    case "attempt_failed":
      return { marker: "failure", title: "Attempt failed", detail: event.retry_at === null ? event.code : `${event.code}; retrying` };
    case "task_failed":
      return { marker: "failure", title: "Task failed", detail: `${event.task}: ${event.code}` };
    case "status_changed":
      return statusChanged(event);
    case "supervisor_chose":
      return event.to === null ? step("Work finished", `according to ${name(event.node)}`) : step(`Chose ${name(event.to)}`);
    case "handed_off":
      return step(`Handed off to ${name(event.to)}`);
    case "frame_entered":
      return step(`Entered subgraph ${name(event.node)}`, `version ${event.version.slice(0, DIGEST_SHOWN)}`);
    case "frame_ended":
      return event.outcome === "completed"
        ? step("Subgraph completed")
        : { marker: "failure", title: "Subgraph failed", detail: event.code ?? "" };
    case "frame_left":
      return step("Returned to the parent graph");
    case "node_entered":
      return step(`Entered ${name(event.node)}`, event.edge ?? "");
    case "node_completed":
      return step(`Completed ${name(event.node)}`);
    case "run_forked":
      return forked(event);
    case "run_started":
      return step("Run started", [event.model, ...allowed(event)].join(", "));
    default:
      return event satisfies never;
  }
};

/** A row shows one event; highest priority first. */
const WEIGHTS = {
  gate_opened: 0,
  gate_resolved: 1,
  decision_made: 2,
  judged: 3,
  case_opened: 4,
  case_closed: 5,
  verdict_given: 6,
  compensation_settled: 7,
  effect_intended: 8,
  effect_settled: 9,
  model_called: 10,
  unwinding: 11,
  attempt_failed: 12,
  task_failed: 13,
  run_forked: 14,
  frame_entered: 15,
  frame_ended: 16,
  frame_left: 17,
  run_started: 18,
  supervisor_chose: 19,
  handed_off: 20,
  action_chosen: 21,
  node_completed: 22,
  budget_reserved: 23,
  reservation_released: 24,
  promoted: 25,
  cell_opened: 26,
  compensation_pushed: 27,
  budget_threshold: 28,
  action_awaited: 29,
  status_changed: 30,
  node_entered: 31,
  cells_shredded: 32,
  commented: 33,
  passkey_registered: 34,
  passkey_revoked: 35,
  admin_changed: 36,
  passkey_allowed: 37,
  countersigned: 38,
} as const satisfies Record<RunEvent["type"], number>;

export const compareByWeight = (a: RunEvent, b: RunEvent): number => WEIGHTS[a.type] - WEIGHTS[b.type];

/** Events mentioned beside the main one. */
export const ALSO_TOLD: readonly RunEvent["type"][] = [
  "promoted",
  "compensation_pushed",
  "budget_threshold",
  "handed_off",
  "unwinding",
  "frame_left",
  "status_changed",
  "node_entered",
];
