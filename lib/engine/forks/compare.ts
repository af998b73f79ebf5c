/** Compares runs, ignoring times, ids, digests and prices. */
import type { RunEvent, RunStatus } from "@/lib/engine/event";
import { entryOf } from "@/lib/engine/events/catalogue";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { alignSteps, isCompared, type StepPair } from "@/lib/engine/forks/compare-steps";
import { diffMemory, stateAt, type LedgerEntry, type MemoryChange, type Standing } from "@/lib/engine/timeline";
import { toCanonicalJson, type Json } from "@/lib/json";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** Numbered by first appearance, so corresponding ids match. */
const idNamer = (): ((text: string) => string) => {
  const names = new Map<string, string>();

  return (text) =>
    text.replaceAll(UUID, (id) => {
      const name = names.get(id) ?? `#${names.size + 1}`;
      names.set(id, name);

      return name;
    });
};

type Aspect = "record" | "events" | "writes" | "values";
type Said = {
  readonly seq: number;
  readonly parts: Readonly<Record<Exclude<Aspect, "values">, string>>;
  readonly values: readonly (string | null)[];
};

const sayer = (): ((entry: LedgerEntry) => Said) => {
  const name = idNamer();
  const text = (value: Json): string => name(toCanonicalJson(value));

  return ({ signed: { record }, values }) => ({
    seq: record.seq,
    parts: {
      record: text([record.kind, record.node, record.seq === 0 ? "start" : record.proposal_kind, record.refusal?.code ?? null]),
      events: text(record.control.map((event) => entryOf(event).compared(event)).filter((said) => said !== null)),
      writes: text(record.writes.map((write) => write.path)),
    },
    values: record.writes.map((_write, index) => {
      const value = values[index];

      return value === undefined ? null : text(value);
    }),
  });
};

const differenceOf = (a: Said, b: Said): Aspect | null => {
  for (const aspect of ["record", "events", "writes"] as const) if (a.parts[aspect] !== b.parts[aspect]) return aspect;
  const differs = a.values.some((value, index) => value !== null && (b.values[index] ?? null) !== null && value !== b.values[index]);

  return differs ? "values" : null;
};

export type Divergence = {
  readonly a: number | null;
  readonly b: number | null;
  readonly aspect: Aspect | "end";
};

const divergenceOf = (a: readonly LedgerEntry[], b: readonly LedgerEntry[]): { common: number; divergence: Divergence | null } => {
  const [left, right] = [a.filter(isCompared).map(sayer()), b.filter(isCompared).map(sayer())];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    const aspect = one && other ? differenceOf(one, other) : "end";
    if (aspect) return { common: index, divergence: { a: one?.seq ?? null, b: other?.seq ?? null, aspect } };
  }

  return { common: left.length, divergence: null };
};

const recordsOf = (entries: readonly LedgerEntry[]): readonly LedgerRecord[] => entries.map(({ signed }) => signed.record);
const eventsOf = (entries: readonly LedgerEntry[]): readonly RunEvent[] => recordsOf(entries).flatMap((record) => record.control);

export type Side = {
  readonly run: string;
  readonly status: RunStatus;
  /** Why it ended; null while it goes on, and for a completed run. */
  readonly end_reason: string | null;
  /** Null before the start. */
  readonly model: string | null;
  readonly records: number;
  readonly route: readonly string[];
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly refusals: readonly { readonly seq: number; readonly code: string; readonly node: string | null }[];
  readonly decisions: readonly { readonly node: string; readonly reason: string; readonly outcome: string }[];
};

const decisionsOf = (entries: readonly LedgerEntry[]): Side["decisions"] => {
  const gates = new Map(eventsOf(entries).flatMap((event) => (event.type === "gate_opened" ? [[event.gate.id, event.gate] as const] : [])));

  return eventsOf(entries).flatMap((event) => {
    const gate = event.type === "gate_resolved" ? gates.get(event.approval_id) : undefined;

    return event.type === "gate_resolved" && gate ? [{ node: gate.node, reason: gate.reason, outcome: event.outcome }] : [];
  });
};

const sideOf = (entries: readonly LedgerEntry[]): Side => {
  const state = stateAt(entries, entries.length - 1);

  return {
    run: entries.at(-1)?.signed.record.run ?? "",
    status: state.status,
    end_reason: state.endReason,
    model: state.start?.model ?? null,
    records: entries.length,
    route: eventsOf(entries).flatMap((event) => (event.type === "node_entered" ? [event.node] : [])),
    tokens: state.totalTokens,
    costMicroUsd: state.costMicroUsd,
    refusals: recordsOf(entries).flatMap(({ seq, node, refusal }) => (refusal ? [{ seq, code: refusal.code, node }] : [])),
    decisions: decisionsOf(entries),
  };
};

export type Comparison = {
  readonly steps: readonly StepPair[];
  readonly more: number;
  readonly common: number;
  readonly divergence: Divergence | null;
  readonly a: Side;
  readonly b: Side;
  readonly memory: readonly MemoryChange[];
};

/** Hidden values count as equal. */
const saysOther = ({ before, after }: MemoryChange): boolean => {
  if (before === null || after === null) return true;
  const rank = ({ label }: Standing): Json => [label.integrity, label.confidentiality];
  if (toCanonicalJson(rank(before)) !== toCanonicalJson(rank(after))) return true;

  return before.content.known && after.content.known && toCanonicalJson(before.content.value) !== toCanonicalJson(after.content.value);
};

/** Compares two ledgers, shared prefix included. */
export const compareRuns = (a: readonly LedgerEntry[], b: readonly LedgerEntry[]): Comparison => ({
  ...divergenceOf(a, b),
  ...alignSteps(a, b),
  a: sideOf(a),
  b: sideOf(b),
  memory: diffMemory(stateAt(a, a.length - 1).cells, stateAt(b, b.length - 1).cells).filter(saysOther),
});
