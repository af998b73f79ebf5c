/** reduce(state, event) -> state. Total; the only source of states. */
import { countAttempt, isRefusedAttempt } from "@/lib/engine/ledger/attempt";
import type { Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import { entryOf } from "@/lib/engine/events/catalogue";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { stripPrefix } from "@/lib/engine/frame";
import { copyEntry, growCopied, createCopyOnWriteGrowth, type Add, type Grow, type Put } from "@/lib/engine/copy-on-write";
import { withCell, type Cell, type CellValue, type RunState } from "@/lib/engine/state";

/** The ledger path names the frame. */
const place = (state: RunState, cell: Cell, add: Add): RunState =>
  cell.path.startsWith("$")
    ? { ...state, aside: add(state.aside, cell) }
    : { ...state, cells: withCell(state.cells, { ...cell, path: stripPrefix(cell.path) }) };

/** Applied before the cells, since they select their memory. */
const isFrameEvent = ({ type }: RunEvent): boolean => type === "frame_entered" || type === "frame_left";

type Values = readonly (Json | undefined)[];

const applied = (state: RunState, signed: SignedRecord, values: Values, { put, add }: Grow, note: Put): RunState => {
  const { record } = signed;
  const moment = { seq: record.seq, at: record.at };
  const moved: RunState = {
    ...state,
    version: state.version + 1,
    head: signed.digest,
    refusals: state.refusals + (record.kind === "refusal" ? 1 : 0),
    ...(isRefusedAttempt(record) ? countAttempt(state, record) : {}),
    // First delivery counts.
    proposals: Object.hasOwn(state.proposals, record.proposal_id) ? state.proposals : note(state.proposals, record.proposal_id, record.seq),
  };
  if (record.kind === "refusal") return moved;
  const { principal } = record;
  const known: RunState = principal.type === "agent" ? { ...moved, drivers: [...new Set([...moved.drivers, principal.owner])] } : moved;
  const apply = (from: RunState, events: readonly RunEvent[]) =>
    events.reduce((next, event) => entryOf(event).reduce(next, event, moment, put), from);
  const framed = apply(known, record.control.filter(isFrameEvent));
  const written = record.writes.reduce<RunState>((next, write, index) => {
    const value = values[index];
    const content: CellValue = value === undefined ? { known: false } : { known: true, value };

    return place(next, { ...write, seq: record.seq, index, content }, add);
  }, framed);

  return apply(
    written,
    record.control.filter((event) => !isFrameEvent(event)),
  );
};

/**
 * Applies a record. Refusals change version and head only.
 * @param note mutable table for long sequences
 */
export const applyRecord = (state: RunState, signed: SignedRecord, values: Values, note: Put = copyEntry): RunState =>
  applied(state, signed, values, growCopied, note);

/** Applies many, copying once: per-record copies make replay quadratic. */
export const applyRecords = (state: RunState, entries: readonly { readonly signed: SignedRecord; readonly values: Values }[]): RunState => {
  const grow = createCopyOnWriteGrowth();

  return entries.reduce((before, { signed, values }) => applied(before, signed, values, grow, grow.put), state);
};
