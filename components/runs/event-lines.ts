/** Each event as a row says it. */
import type { RunEvent } from "@/lib/engine/event";
import { count, money } from "@/lib/format";
import type { NameNode } from "./node-names";

/** What kind of thing happened; the screen gives each its mark. */
export type Marker = "refusal" | "gate" | "approved" | "rejected" | "effect" | "model" | "failure" | "end" | "step" | "malformed";

export type Line = { readonly marker: Marker; readonly title: string; readonly detail: string };

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const RESOLVED = {
  approved: { marker: "approved", title: "Gate approved" },
  rejected: { marker: "rejected", title: "Gate rejected" },
  expired: { marker: "rejected", title: "Gate expired" },
  void: { marker: "step", title: "Gate void" },
} as const satisfies Record<EventOf<"gate_resolved">["outcome"], Omit<Line, "detail">>;

const SETTLED = { ok: "Tool answered", tool_error: "Tool answered with an error", abandoned: "Effect abandoned" } as const;

const UNDONE = {
  done: { marker: "effect", title: "Undone", detail: "" },
  failed: { marker: "failure", title: "Could not be undone", detail: "the undo itself failed" },
  declined: { marker: "rejected", title: "Not undone", detail: "a person declined the undo" },
} as const satisfies Record<EventOf<"compensation_settled">["outcome"], Line>;

const DIGEST_SHOWN = 8;

const step = (title: string, detail = ""): Line => ({ marker: "step", title, detail });

const amount = (tokens: number, costMicroUsd: number): string => `${count(tokens)} tokens, ${money(costMicroUsd)}`;

/** A task is a part of a node's work: one item, one voter. */
const withTask = (text: string, task: string): string => (task === "" ? text : `${text} · ${task}`);

const intended = ({ effect, effect_class: effectClass, undoes }: EventOf<"effect_intended">): Line => ({
  marker: "effect",
  title: `${undoes === null ? "Calls" : "Undoes with"} ${effect.server}.${effect.tool}`,
  detail: effectClass,
});

const threshold = ({ scope, measure, percent }: EventOf<"budget_threshold">): Line => ({
  marker: percent === 100 ? "failure" : "step",
  title: `${percent} % of the ${measure === "tokens" ? "token" : "cost"} budget is used`,
  detail: scope === "run" ? "of the whole run" : `of ${scope}`,
});

const decided = ({ decision }: EventOf<"decision_made">): Line =>
  decision === "approve"
    ? { marker: "approved", title: "Approval given", detail: "" }
    : { marker: "rejected", title: "Rejection given", detail: "" };

const statusChanged = ({ to, reason }: EventOf<"status_changed">): Line => ({
  marker: to === "failed" || to === "timeout" ? "failure" : "end",
  title: `Run ${to}`,
  detail: reason ?? "",
});

const changed = (change: EventOf<"run_forked">["change"]): string => {
  switch (change.type) {
    case "none":
      return "nothing changed";
    case "model":
      return `model ${change.model}`;
    case "version":
      return `version ${change.graph_hash.slice(0, DIGEST_SHOWN)}`;
    case "strict_taint":
      return `strict taint ${change.value ? "on" : "off"}`;
    case "route":
      return `way ${change.edge}`;
    case "decision":
      return `gate decided: ${change.decision}`;
    case "input":
      return `other input ${change.path}`;
    case "memory":
      return `other value of ${change.path}`;
    case "prompt":
      return `other prompt of ${change.agent}`;
    case "tool_result":
      return "other answer of a tool";
    default:
      return change satisfies never;
  }
};

const forked = ({ parent_seq: seq, change, effects }: EventOf<"run_forked">): Line =>
  step(
    seq === 0 ? "Begins as another run did" : `Goes on after record ${seq - 1} of another run`,
    `${changed(change)} · ${effects === "simulate" ? "simulated" : "live"}`,
  );

/** The row of one event. @param name of the nodes of the graph that it happened in */
export const lineOf = (event: RunEvent, name: NameNode): Line => {
  switch (event.type) {
    case "gate_opened":
      return { marker: "gate", title: "Waits for a person", detail: event.gate.prompt };
    case "gate_resolved":
      return { ...RESOLVED[event.outcome], detail: "" };
    case "decision_made":
      return decided(event);
    case "promoted":
      return { marker: "approved", title: `${event.to} is reviewed now`, detail: `as it was at ${event.from}` };
    case "effect_intended":
      return intended(event);
    case "effect_settled":
      return {
        marker: event.outcome === "ok" ? "effect" : "failure",
        title: SETTLED[event.outcome],
        detail: event.simulated ? "simulated: nothing was called" : "",
      };
    case "compensation_pushed":
      return step("Can be undone", `with ${event.server}.${event.tool}`);
    case "compensation_settled":
      return UNDONE[event.outcome];
    case "unwinding":
      return { marker: "failure", title: "Undoes what it did", detail: `then the run is ${event.to}: ${event.reason}` };
    case "model_called":
      return { marker: "model", title: "Model call", detail: withTask(event.usage.model, event.task) };
    case "budget_reserved":
      return step("Budget set aside", withTask(`at most ${amount(event.tokens, event.cost_micro_usd)}`, event.task));
    case "reservation_released":
      return step("Budget released", `${amount(event.tokens, event.cost_micro_usd)} of it count as spent`);
    case "budget_threshold":
      return threshold(event);
    case "attempt_failed":
      return { marker: "failure", title: "Attempt failed", detail: event.retry_at === null ? event.code : `${event.code}; tries again` };
    case "task_failed":
      return { marker: "failure", title: "A part of the work failed", detail: `${event.task}: ${event.code}` };
    case "status_changed":
      return statusChanged(event);
    case "supervisor_chose":
      return event.to === null ? step("The work is done", `says ${name(event.node)}`) : step(`Chooses ${name(event.to)}`);
    case "handed_off":
      return step(`Hands over to ${name(event.to)}`);
    case "frame_entered":
      return step(`Enters the graph of ${name(event.node)}`, `version ${event.version.slice(0, DIGEST_SHOWN)}`);
    case "frame_ended":
      return event.outcome === "completed"
        ? step("The inner graph is completed")
        : { marker: "failure", title: "The inner graph failed", detail: event.code ?? "" };
    case "frame_left":
      return step("Back in the graph around it");
    case "node_entered":
      return step(`Enters ${name(event.node)}`, event.edge ?? "");
    case "node_completed":
      return step(`Completes ${name(event.node)}`);
    case "run_forked":
      return forked(event);
    case "run_started":
      return step("Run started", event.model);
    default:
      return event satisfies never;
  }
};

/** How telling an event is, the most telling first: a record can carry many, and its row is about one. */
const WEIGHTS = {
  gate_opened: 0,
  gate_resolved: 1,
  decision_made: 2,
  compensation_settled: 3,
  effect_intended: 4,
  effect_settled: 5,
  model_called: 6,
  unwinding: 7,
  attempt_failed: 8,
  task_failed: 9,
  run_forked: 10,
  frame_entered: 11,
  frame_ended: 12,
  frame_left: 13,
  run_started: 14,
  supervisor_chose: 15,
  handed_off: 16,
  node_completed: 17,
  budget_reserved: 18,
  reservation_released: 19,
  promoted: 20,
  compensation_pushed: 21,
  budget_threshold: 22,
  status_changed: 23,
  node_entered: 24,
} as const satisfies Record<RunEvent["type"], number>;

/** Orders events by how telling they are. */
export const byWeight = (a: RunEvent, b: RunEvent): number => WEIGHTS[a.type] - WEIGHTS[b.type];

/** What a row adds to its main event. */
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
