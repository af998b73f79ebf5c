/** One record as a row of the list. */
import { joinLabels, type Integrity } from "@/lib/graph/label";
import { REFUSALS } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/record";
import type { Entry } from "./entries";

/** What kind of thing happened; the screen gives each its mark. */
export type Marker = "refusal" | "gate" | "approved" | "rejected" | "effect" | "model" | "failure" | "end" | "step" | "malformed";

export type RecordSummary = {
  readonly seq: number;
  readonly marker: Marker;
  readonly title: string;
  readonly detail: string;
  readonly node: string | null;
  readonly actor: string;
  /** Milliseconds since 1970; null when the record cannot be read. */
  readonly at: number | null;
  readonly tokens: number;
  readonly costMicroUsd: number;
  /** The least trusted of what was written; null when nothing was. */
  readonly integrity: Integrity | null;
  readonly digest: string;
};

type Line = { readonly marker: Marker; readonly title: string; readonly detail: string };

const RESOLVED = {
  approved: { marker: "approved", title: "Gate approved" },
  rejected: { marker: "rejected", title: "Gate rejected" },
  expired: { marker: "rejected", title: "Gate expired" },
  void: { marker: "step", title: "Gate void" },
} as const satisfies Record<Extract<RunEvent, { type: "gate_resolved" }>["outcome"], Omit<Line, "detail">>;

const SETTLED = { ok: "Tool answered", tool_error: "Tool answered with an error", abandoned: "Effect abandoned" } as const;

const tokensOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.input_tokens + event.usage.output_tokens : 0);
const costOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.cost_micro_usd : 0);

const lineOf = (event: RunEvent): Line => {
  switch (event.type) {
    case "gate_opened":
      return { marker: "gate", title: "Waits for a person", detail: event.gate.prompt };
    case "gate_resolved":
      return { ...RESOLVED[event.outcome], detail: "" };
    case "decision_made":
      return {
        marker: event.decision === "approve" ? "approved" : "rejected",
        title: event.decision === "approve" ? "Approval given" : "Rejection given",
        detail: "",
      };
    case "effect_intended":
      return { marker: "effect", title: `Calls ${event.effect.server}.${event.effect.tool}`, detail: event.effect_class };
    case "effect_settled":
      return { marker: event.outcome === "ok" ? "effect" : "failure", title: SETTLED[event.outcome], detail: "" };
    case "model_called":
      return { marker: "model", title: "Model call", detail: event.usage.model };
    case "attempt_failed":
      return { marker: "failure", title: "Attempt failed", detail: event.retry_at === null ? event.code : `${event.code}; tries again` };
    case "status_changed":
      return {
        marker: event.to === "failed" || event.to === "timeout" ? "failure" : "end",
        title: `Run ${event.to}`,
        detail: event.reason ?? "",
      };
    case "node_entered":
      return { marker: "step", title: `Enters ${event.node}`, detail: event.edge ?? "" };
    case "node_completed":
      return { marker: "step", title: `Completes ${event.node}`, detail: "" };
    case "run_started":
      return { marker: "step", title: "Run started", detail: event.model };
    default:
      return event satisfies never;
  }
};

/** What a row is about, most telling first: a record can carry many events. */
const TELLING: readonly RunEvent["type"][] = [
  "gate_opened",
  "gate_resolved",
  "decision_made",
  "effect_intended",
  "effect_settled",
  "model_called",
  "attempt_failed",
  "run_started",
  "node_completed",
  "status_changed",
  "node_entered",
];

const mainLine = (record: LedgerRecord): Line => {
  const events = TELLING.flatMap((type) => record.control.filter((event) => event.type === type));
  const [main] = events;
  if (!main)
    return {
      marker: "step",
      title: record.proposal_kind.replaceAll("_", " "),
      detail: record.writes.map((write) => write.path).join(", "),
    };
  const line = lineOf(main);
  const rest = record.control
    .filter((event) => event !== main && (event.type === "node_entered" || event.type === "status_changed"))
    .map((event) => lineOf(event).title);

  return { ...line, detail: [line.detail, ...rest].filter((part) => part !== "").join(" · ") };
};

const refusalLine = ({ refusal }: LedgerRecord): Line | null => {
  if (!refusal) return null;
  const what = refusal.ids.length > 0 ? ` (${refusal.ids.join(", ")})` : "";

  return { marker: "refusal", title: refusal.code, detail: `${REFUSALS[refusal.code].message}${what}` };
};

const actorOf = ({ principal }: LedgerRecord): string => {
  if (principal.type === "user") return principal.role;

  return principal.type === "executor" ? (principal.agent ?? "executor") : "engine";
};

export const summarize = (entry: Entry): RecordSummary => {
  const { record, seq, digest } = entry;
  if (!record) {
    const broken = {
      marker: "malformed",
      title: "Not a record",
      detail: "What is stored here cannot be read; verify names the fault.",
    } as const;

    return { seq, digest, ...broken, node: null, actor: "", at: null, tokens: 0, costMicroUsd: 0, integrity: null };
  }
  const sum = (of: (event: RunEvent) => number) => record.control.reduce((total, event) => total + of(event), 0);

  return {
    seq,
    digest,
    ...(refusalLine(record) ?? mainLine(record)),
    node: record.node,
    actor: actorOf(record),
    at: record.at,
    tokens: sum(tokensOf),
    costMicroUsd: sum(costOf),
    integrity:
      record.kind === "refusal" || record.writes.length === 0 ? null : joinLabels(record.writes.map((write) => write.label)).integrity,
  };
};
