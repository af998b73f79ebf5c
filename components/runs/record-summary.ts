/** Records as list rows. */
import { joinLabels, type Integrity } from "@/lib/graph/label";
import { REFUSALS } from "@/lib/refusal";
import { stripPrefix, trackPlaces, type Place } from "@/lib/engine/frame";
import type { RunEvent } from "@/lib/engine/event";
import { entryOf } from "@/lib/engine/events/catalogue";
import type { Line, Marker, RecordTag } from "@/lib/engine/events/event-entry";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Entry } from "./entries";
import { ID_NAMES, formatNodeTitle, trackPlacesBefore, type NodeNames } from "./node-names";
import { listTags } from "./record-tags";

export type RecordSummary = {
  readonly seq: number;
  readonly marker: Marker;
  readonly title: string;
  readonly detail: string;
  readonly node: string | null;
  readonly actor: string;
  /** ms since 1970; null: unreadable. */
  readonly at: number | null;
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly integrity: Integrity | null;
  readonly digest: string;
  readonly nodeId: string | null;
  readonly tags: readonly RecordTag[];
  readonly paths: readonly string[];
  /** Budget reservation for the next call. */
  readonly isMinor: boolean;
};

const tokensOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.input_tokens + event.usage.output_tokens : 0);
const costOf = (event: RunEvent): number => (event.type === "model_called" ? event.usage.cost_micro_usd : 0);

type Named = { readonly type: RunEvent["type"]; readonly weight: number; readonly isMentioned: boolean; readonly line: Line };

const namedEvents = (record: LedgerRecord, names: NodeNames, before: readonly Place[]): Named[] => {
  let places = before;

  return record.control.map((event) => {
    // A subgraph node belongs to the parent graph.
    const around = places;
    places = trackPlaces(places, event);
    const entry = entryOf(event);

    return { ...entry, type: event.type, line: entry.line(event, names.at(event.type === "frame_entered" ? around : places)) };
  });
};

const mainLine = (record: LedgerRecord, names: NodeNames, before: readonly Place[]): Line => {
  const [main, ...others] = namedEvents(record, names, before).toSorted((a, b) => a.weight - b.weight);
  if (!main)
    return {
      marker: "step",
      title: record.proposal_kind.replaceAll("_", " "),
      detail: record.writes.map((write) => stripPrefix(write.path)).join(", "),
    };
  // The outcome repeats the decision, but not where it was made.
  const rest = others.flatMap(({ type, isMentioned, line }) =>
    isMentioned ? [line.title] : type === "decision_made" ? [line.detail] : [],
  );

  return { ...main.line, detail: [main.line.detail, ...rest].filter((part) => part !== "").join(" · ") };
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

const nodeOf = ({ node }: LedgerRecord, names: NodeNames, before: readonly Place[]): string | null =>
  node === null ? null : formatNodeTitle(names, before, node);

const isReservation = ({ control }: LedgerRecord): boolean =>
  control.length > 0 && control.every((event) => event.type === "budget_reserved");

const NOTHING = {
  node: null,
  nodeId: null,
  actor: "",
  at: null,
  tokens: 0,
  costMicroUsd: 0,
  integrity: null,
  isMinor: false,
  tags: ["error"],
  paths: [],
} as const;

const memoryPaths = ({ kind, writes }: LedgerRecord): readonly string[] =>
  kind === "refusal" ? [] : writes.map(({ path }) => path).filter((path) => !path.startsWith("$"));

/** @param before subgraph position */
export const summarize = (entry: Entry, names: NodeNames, before: readonly Place[]): RecordSummary => {
  const { record, seq, digest } = entry;
  if (!record) {
    const broken = {
      marker: "malformed",
      title: "Unreadable record",
      detail: "This record can't be read. Verify the run to see why.",
    } as const;

    return { seq, digest, ...broken, ...NOTHING };
  }
  const sum = (of: (event: RunEvent) => number) => record.control.reduce((total, event) => total + of(event), 0);

  return {
    seq,
    digest,
    ...(refusalLine(record) ?? mainLine(record, names, before)),
    node: nodeOf(record, names, before),
    nodeId: record.node,
    tags: listTags(record),
    paths: memoryPaths(record),
    actor: actorOf(record),
    at: record.at,
    tokens: sum(tokensOf),
    costMicroUsd: sum(costOf),
    integrity:
      record.kind === "refusal" || record.writes.length === 0 ? null : joinLabels(record.writes.map((write) => write.label)).integrity,
    isMinor: isReservation(record),
  };
};

/** Summarises records in order. */
export const summarizeAll = (entries: readonly Entry[], names: NodeNames = ID_NAMES): RecordSummary[] => {
  const before = trackPlacesBefore(entries);

  return entries.map((entry, index) => summarize(entry, names, before[index] ?? []));
};
