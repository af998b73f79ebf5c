/** One record as a row of the list. */
import { joinLabels, type Integrity } from "@/lib/graph/label";
import { REFUSALS } from "@/lib/refusal";
import { withoutPrefix } from "@/lib/engine/frame";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/record";
import type { Entry } from "./entries";
import { ALSO_TOLD, byWeight, lineOf, type Line, type Marker } from "./event-lines";

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

const tokensOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.input_tokens + event.usage.output_tokens : 0);
const costOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.cost_micro_usd : 0);

const mainLine = (record: LedgerRecord): Line => {
  const [main, ...others] = record.control.toSorted(byWeight);
  if (!main)
    return {
      marker: "step",
      title: record.proposal_kind.replaceAll("_", " "),
      detail: record.writes.map((write) => withoutPrefix(write.path)).join(", "),
    };
  const line = lineOf(main);
  const rest = others.filter((event) => ALSO_TOLD.includes(event.type)).map((event) => lineOf(event).title);

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
