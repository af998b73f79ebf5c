import { isJsonObject, type Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import { getViewingPath } from "@/lib/engine/approvals/viewing";
import { answerPath } from "@/lib/engine/approvals/pending-question";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { stripPrefix } from "@/lib/engine/frame";

export type Body = { readonly [field: string]: Json };

export type Step = {
  readonly record: LedgerRecord;
  readonly values: readonly (Json | undefined)[];
  readonly before: RunState;
};

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const eventIn = <T extends RunEvent["type"]>(record: LedgerRecord, type: T): EventOf<T> | undefined =>
  record.control.find((event): event is EventOf<T> => event.type === type);

const valueAt = ({ record, values }: Step, path: string): Json | undefined => {
  const index = record.writes.findIndex((write) => write.path === path);

  return index < 0 ? undefined : values[index];
};

const reasonOf = (step: Step): Body => {
  const reason = valueAt(step, "$reason");

  return reason === undefined ? {} : { reason };
};

const update = (updates: readonly { readonly path: string; readonly value: Json }[]): Json => ({
  type: "update_memory",
  updates: updates.map(({ path, value }) => ({ path, value })),
});

const STAND_IN = "(hidden)";

const updatesOf = ({ record, values }: Step): { readonly path: string; readonly value: Json }[] =>
  record.refusal
    ? record.refusal.ids.map((path) => ({ path, value: STAND_IN }))
    : record.writes.flatMap(({ path }, index) =>
        path.startsWith("$") ? [] : [{ path: stripPrefix(path), value: values[index] ?? STAND_IN }],
      );

const resultBodies = (step: Step): Body[] => {
  const activation = step.before.activation ?? 0;
  const waiting = waitingIn(step)?.["updates"];
  const asked = Array.isArray(waiting) ? [update(waiting as { path: string; value: Json }[])] : null;
  if (asked)
    return [
      { kind: "node_result", activation, actions: asked },
      { kind: "action", activation, action: asked[0] ?? null },
    ];
  const updates = updatesOf(step);
  const single = updates.map((one) => update([one]));
  const actions: readonly (readonly Json[])[] = [updates.length === 0 ? [] : [update(updates)], single];
  if (step.record.proposal_kind === "action") return single.slice(0, 1).map((action) => ({ kind: "action", activation, action }));

  return actions.map((list) => ({ kind: "node_result", activation, actions: [...list] }));
};

const waitingIn = (step: Step): Body | undefined => {
  const gate = eventIn(step.record, "gate_opened")?.gate;
  const pending = gate && valueAt(step, `$pending.${gate.id}`);

  return pending !== undefined && isJsonObject(pending) ? pending : undefined;
};

/** May be prefixed with attempt and task. */
const callIds = (id: string): string[] =>
  [id, ...id.split(/[.:/]/u).map((_part, at, parts) => parts.slice(at + 1).join("."))].filter((one) => one !== "");

const intentBodies = (step: Step): Body[] => {
  const { record, before } = step;
  const event = eventIn(record, "effect_intended");
  const activation = before.activation ?? 0;
  const body = (server: string, tool: string, call: string, task: string, args: Json): Body[] => [
    {
      kind: "effect_intent",
      activation,
      ...(task === "" ? {} : { task }),
      call_id: call,
      server,
      tool,
      arguments: args,
      availability: "ok",
    },
  ];
  if (event) {
    const args = valueAt(step, `$arguments.${event.effect_id}`);

    return args === undefined
      ? []
      : callIds(event.call_id).flatMap((id) => body(event.effect.server, event.effect.tool, id, event.task, args));
  }
  const waiting = waitingIn(step);
  if (waiting && typeof waiting["server"] === "string" && typeof waiting["tool"] === "string") {
    const call = typeof waiting["call"] === "string" ? waiting["call"] : "call";
    const task = typeof waiting["task"] === "string" ? waiting["task"] : "";
    const { server, tool } = { server: waiting["server"], tool: waiting["tool"] };

    return callIds(call).flatMap((id) => body(server, tool, id, task, waiting["arguments"] ?? {}));
  }

  return (record.refusal?.ids ?? []).flatMap((id) => {
    const [server = "", tool = ""] = id.split(/[/.](.*)/su);

    return body(server, tool, "call", "", {});
  });
};

const outcomeBodies = (step: Step): Body[] => {
  const event = eventIn(step.record, "effect_settled");
  const result = event && valueAt(step, `$result.${event.effect_id}`);
  if (!event || result === undefined) return [];

  return [
    { kind: "effect_outcome", effect_id: event.effect_id, outcome: event.outcome, result, ...(event.simulated ? { simulated: true } : {}) },
  ];
};

const answersOf = (step: Step, gateId: string): Body => {
  const answers = valueAt(step, answerPath(gateId));

  return Array.isArray(answers) ? { answers } : {};
};

const viewingOf = (step: Step, gate: string): Body => {
  const viewed = valueAt(step, getViewingPath(gate));
  if (viewed === undefined || !isJsonObject(viewed)) return {};
  const { signals: _, ...viewing } = viewed;

  return { viewing };
};

const decisionBodies = (step: Step): Body[] => {
  const { record, before } = step;
  const made = eventIn(record, "decision_made");
  const id =
    made?.approval_id ?? record.refusal?.ids[0] ?? Object.values(before.gates).find(({ status }) => status === "open")?.gate.id ?? "";
  const gate = ownEntry(before.gates, id)?.gate;
  if (!gate) return [];
  const common = { kind: "decision", approval_id: gate.id, transition_digest: gate.transition_digest, nonce: gate.nonce };
  const view = made?.view_digest ?? gate.transition_digest;

  return (made ? [made.decision] : (["approve", "reject"] as const)).map((decision) => ({
    ...common,
    view_digest: view,
    decision,
    ...(made
      ? { ...reasonOf(step), ...answersOf(step, gate.id), ...viewingOf(step, gate.id) }
      : decision === "reject"
        ? { reason: STAND_IN }
        : {}),
  }));
};

const byId = (record: LedgerRecord, kind: string): Body[] => {
  const id = eventIn(record, "gate_resolved")?.approval_id ?? record.refusal?.ids[0];

  return id === undefined ? [] : [{ kind, approval_id: id }];
};

const reservationBodies = ({ record, before }: Step): Body[] => {
  const reserved = eventIn(record, "budget_reserved");
  if (!reserved) return [];
  const { tokens, cost_micro_usd, task } = reserved;

  return [{ kind: "model_intent", activation: before.activation ?? 0, ...(task === "" ? {} : { task }), tokens, cost_micro_usd }];
};

const startBodies = (step: Step): Body[] => {
  const event = eventIn(step.record, "run_started");
  const [goal, constraints] = [valueAt(step, "$goal"), valueAt(step, "$constraints")];
  if (!event || goal === undefined || constraints === undefined) return [];
  const inputs = Object.fromEntries(updatesOf(step).map(({ path, value }) => [path, value]));
  const { model, author, limits } = event;

  return [
    {
      kind: "start",
      graph_hash: step.record.graph_hash,
      goal,
      constraints,
      inputs,
      model,
      author,
      ...(limits ? { limits: { ...limits } } : {}),
    },
  ];
};

/** Returns candidate bodies, likeliest first. */
export const listBodies = (step: Step): readonly Body[] => {
  const { record } = step;
  const attempt = valueAt(step, "$attempt");
  if (attempt !== undefined && isJsonObject(attempt)) return [attempt];
  switch (record.proposal_kind) {
    case "node_result":
    case "action":
      return resultBodies(step);
    case "effect_intent":
      return intentBodies(step);
    case "effect_outcome":
      return outcomeBodies(step);
    case "decision":
      return decisionBodies(step);
    case "model_intent":
      return reservationBodies(step);
    case "start":
      return startBodies(step);
    case "cancel":
      return [{ kind: "cancel", ...reasonOf(step) }];
    case "begin":
    case "retry_now":
    case "retry":
    case "ascend":
    case "unwound":
      return [{ kind: record.proposal_kind }];
    case "expire":
    case "escalate":
    case "void":
      return byId(record, record.proposal_kind);
    default:
      return [];
  }
};

export const listHiddenPaths = ({ record, values }: Step): readonly string[] =>
  record.writes.flatMap(({ path }, index) => (values[index] === undefined ? [path] : []));

export const listHiddenInState = ({ before }: Step): readonly string[] =>
  [...before.cells, ...before.aside].flatMap((cell) => (cell.content.known ? [] : [cell.path]));
