import type { PublishedGraph } from "@/lib/graph/document";
import { isGranted, parsePath } from "@/lib/graph/path";
import { listActionNodes } from "@/lib/graph/actions";
import { ownMember, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { getHeldStep } from "@/lib/engine/decide/step";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { NOTHING_SEALED, type Sealed } from "@/lib/engine/labels/reading";
import { isResting, ownEntry, type RunState } from "@/lib/engine/state";
import { stateBefore, type LedgerEntry } from "@/lib/engine/timeline";
import { listLegalActions } from "@/lib/outside/legal";
import { projectMemory, getShownValue } from "@/lib/outside/project";

export type Doer =
  | { readonly type: "agent"; readonly token: string; readonly session: string }
  | { readonly type: "user"; readonly id: string };

export type HistoryEntry = {
  readonly seq: number;
  /** ISO 8601, UTC */
  readonly ts: string;
  /** Null: not in the graph. */
  readonly action: string | null;
  readonly inputs: JsonObject | null;
  /** Null: unchanged. */
  readonly state_after: JsonObject | null;
  readonly valid_next_actions: readonly string[];
  readonly refused: boolean;
  readonly refusal_reason: string | null;
  readonly error_type: string | null;
  readonly principal: Doer | null;
  readonly forkable: boolean;
};

const MARKERS = { fork: "fork_at", cancel: "reset_session" } as const;
const isMarker = (action: string | null): boolean => Object.values<string | null>(MARKERS).includes(action);

type Chosen = { readonly action: string; readonly inputs: JsonObject; readonly principal: Doer };

/** State is computed on demand only. */
type Draft = Pick<HistoryEntry, "action" | "inputs" | "refusal_reason" | "error_type" | "principal"> & {
  readonly record: LedgerRecord;
  readonly after: RunState;
  readonly legal: readonly string[] | null;
};

const doerOf = ({ principal }: LedgerRecord): Doer | null => {
  if (principal.type === "agent") return { type: "agent", token: principal.token, session: principal.session };

  return principal.type === "user" ? { type: "user", id: principal.id } : null;
};

const givenWith = (
  { graph }: PublishedGraph,
  { signed, values }: LedgerEntry,
  event: Extract<RunEvent, { type: "action_chosen" }>,
  sealed: Sealed,
): JsonObject => {
  const declared = graph.nodes.find(({ id }) => id === event.action)?.action?.inputs ?? [];
  const { read_keys: grants = [], clearance = "public" } = graph.external ?? {};
  const given = declared.flatMap(({ name, path }): [string, Json][] => {
    const index = signed.record.writes.findIndex((write) => write.path === path);
    const write = signed.record.writes[index];
    const value = values[index];
    if (!event.inputs.includes(name) || !write) return [];
    if (value === undefined || !isGranted(grants, parsePath(path) ?? [])) return [[name, { $redacted: { path, reason: "grant" } }]];
    const cell = { ...write, seq: signed.record.seq, index, content: { known: true, value } } as const;

    return [[name, getShownValue({ cells: [cell], clearance, sealed }, parsePath(path) ?? [], value)]];
  });

  return Object.fromEntries(given);
};

const AGENTS_PROPOSALS = ["start", "step", "request_approval", "fork", "cancel"];

const refusedDraft = (root: PublishedGraph, { signed: { record }, values }: LedgerEntry, after: RunState): Draft[] => {
  if (record.principal.type !== "agent" || !record.refusal || !AGENTS_PROPOSALS.includes(record.proposal_kind)) return [];
  const named = ownMember(values[0], "action");
  const action = listActionNodes(root.graph).find(({ id }) => id === named)?.id ?? null;
  const marker = record.proposal_kind === "fork" ? MARKERS.fork : record.proposal_kind === "cancel" ? MARKERS.cancel : null;
  const legal = record.refusal.legal.map((name) => name.replace(/^step:/u, ""));

  return [
    {
      record,
      after,
      legal,
      action: marker ?? action,
      inputs: null,
      refusal_reason: record.refusal.code,
      error_type: null,
      principal: doerOf(record),
    },
  ];
};

const declinedDraft = (record: LedgerRecord, after: RunState): Draft[] => {
  const resolved = record.control.find((event) => event.type === "gate_resolved");
  const gate = resolved && ownEntry(after.gates, resolved.approval_id);
  const held = gate && getHeldStep(after, gate);
  if (!resolved || !held) return [];
  const { action, token, session } = held.step;
  const principal: Doer = { type: "agent", token, session };

  return [
    { record, after, legal: null, action, inputs: null, refusal_reason: `approval_${resolved.outcome}`, error_type: null, principal },
  ];
};

const endedDraft = (record: LedgerRecord, after: RunState, chosen: Chosen, code: string | null): Draft => ({
  ...chosen,
  record,
  after,
  legal: null,
  refusal_reason: code === null ? null : code.endsWith("timeout") ? "action_timeout" : "action_error",
  error_type: code,
});

const markerDraft = (record: LedgerRecord, after: RunState, action: string, inputs: JsonObject | null): Draft => ({
  record,
  after,
  legal: null,
  action,
  inputs,
  refusal_reason: null,
  error_type: null,
  principal: doerOf(record),
});

type Folded = { readonly state: RunState; readonly chosen: Chosen | null; readonly drafts: readonly Draft[] };

const statusOf = (record: LedgerRecord) => record.control.find((event) => event.type === "status_changed" && isTerminal(event.to));

/** Null: success; undefined: not ended. */
const endOf = (record: LedgerRecord, after: RunState): { readonly code: string | null } | undefined => {
  const awaited = record.control.find((event) => event.type === "action_awaited");
  if (awaited) return { code: awaited.cause === "failed" ? (after.lastError?.code ?? "failed") : null };
  const ended = statusOf(record);
  if (ended?.type !== "status_changed") return undefined;

  return { code: ended.to === "completed" ? null : (ended.reason ?? ended.to) };
};

const folded = (root: PublishedGraph, before: Folded, entry: LedgerEntry, sealed: Sealed): Folded => {
  const { record } = entry.signed;
  const state = applyRecord(before.state, entry.signed, entry.values);
  if (record.kind === "refusal") return { ...before, state, drafts: [...before.drafts, ...refusedDraft(root, entry, state)] };
  const drafts: Draft[] = [];
  let { chosen } = before;
  const forked = record.control.find((event) => event.type === "run_forked");
  // An action in flight in the parent is in flight here too.
  if (forked) drafts.push(markerDraft(record, state, MARKERS.fork, { sequence_id: forked.parent_seq - 1 }));
  const end = forked ? undefined : endOf(record, state);
  if (end && chosen) {
    drafts.push(endedDraft(record, state, chosen, end.code));
    chosen = null;
  } else if (end) drafts.push(...declinedDraft(record, state));
  if (record.proposal_kind === "cancel" && record.principal.type === "agent") drafts.push(markerDraft(record, state, MARKERS.cancel, null));
  const next = record.control.find((event) => event.type === "action_chosen");
  if (next) {
    const principal: Doer = { type: "agent", token: next.token, session: next.session };
    chosen = { action: next.action, inputs: givenWith(root, entry, next, sealed), principal };
  }

  return { state, chosen, drafts: [...before.drafts, ...drafts] };
};

const entryOf = (root: PublishedGraph, draft: Draft, sealed: Sealed): HistoryEntry => {
  const { record, after, legal, ...said } = draft;
  const refused = draft.refusal_reason !== null;

  return {
    seq: record.seq,
    ts: new Date(record.at).toISOString(),
    ...said,
    state_after: refused ? null : projectMemory(root, after, sealed),
    valid_next_actions: legal ?? listLegalActions(root, after),
    refused,
    forkable: !refused && !isMarker(draft.action) && isResting(after),
  };
};

const draftsOf = (root: PublishedGraph, entries: readonly LedgerEntry[], sealed: Sealed): readonly Draft[] =>
  entries.reduce<Folded>((before, entry) => folded(root, before, entry, sealed), {
    state: stateBefore(entries[0]?.signed),
    chosen: null,
    drafts: [],
  }).drafts;

export type HistoryPage = {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** `before` for the next older page; null: none. */
  readonly cursor: number | null;
};

/** Builds the newest entries. @param sealed cells hidden by open review cases */
export const buildHistory = (
  root: PublishedGraph,
  entries: readonly LedgerEntry[],
  { limit, before = Number.POSITIVE_INFINITY, sealed }: { readonly limit: number; readonly before?: number; readonly sealed: Sealed },
): HistoryPage => {
  const older = draftsOf(root, entries, sealed).filter(({ record }) => record.seq < before);
  const page = older.slice(Math.max(0, older.length - limit));

  return {
    entries: page.map((draft) => entryOf(root, draft, sealed)),
    cursor: older.length > page.length ? (page[0]?.record.seq ?? null) : null,
  };
};

export type ForkFault = "unknown_sequence_id" | "cannot_fork_to_refusal" | "cannot_fork_to_meta_entry" | "run_finished";

/** Returns a fork's `parent_seq`, or why there is none. */
export const forkPoint = (root: PublishedGraph, entries: readonly LedgerEntry[], seq: number): Result<number, ForkFault> => {
  const found = draftsOf(root, entries, NOTHING_SEALED).filter(({ record }) => record.seq === seq);
  const [draft] = found;
  if (!draft) return err("unknown_sequence_id");
  if (draft.refusal_reason !== null) return err("cannot_fork_to_refusal");
  if (isMarker(draft.action)) return err("cannot_fork_to_meta_entry");

  return isResting(draft.after) ? ok(seq + 1) : err("run_finished");
};
