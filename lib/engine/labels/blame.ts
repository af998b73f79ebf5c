import { isAtOrBelow, parsePath } from "@/lib/graph/path";
import { INTEGRITIES, joinLabels, type Integrity, type Label } from "@/lib/graph/label";
import type { CellWrite, LedgerRecord } from "@/lib/engine/ledger/record";
import { getFramePrefix, stripPrefix } from "@/lib/engine/frame";
import { findLastBefore, indexLedger, type LedgerIndex } from "@/lib/engine/ledger/ledger-index";
import { findCellsAt, withCell, type Cell } from "@/lib/engine/state";

/** `path`: ledger form; `@3/draft` is subgraph memory. */
export type WriteRef = { readonly seq: number; readonly index: number; readonly path: string; readonly label: Label };

/** Reads a cell, completes an effect, resolves a gate, or entered the node. */
export type Via = "read" | "effect" | "gate" | "control";

/** `write` null: the record as a whole. */
export type Step = { readonly seq: number; readonly write: WriteRef | null; readonly via: Via; readonly label: Label };

export const listWrites = (record: LedgerRecord): readonly WriteRef[] =>
  record.kind === "refusal" ? [] : record.writes.map(({ path, label }: CellWrite, index) => ({ seq: record.seq, index, path, label }));

const prefixOf = (path: string): string => path.slice(0, path.length - stripPrefix(path).length);

const hiddenCell = ({ seq, index, path, label }: WriteRef): Cell => ({
  path: stripPrefix(path),
  seq,
  index,
  label,
  commitment: "",
  content: { known: false },
});

const refOf = (cell: Cell, prefix: string): WriteRef => ({
  seq: cell.seq,
  index: cell.index,
  path: `${prefix}${cell.path}`,
  label: cell.label,
});

/** Returns the writes behind `path` after `seq`, newest first. */
export const blame = (records: readonly LedgerRecord[], path: string, seq: number): readonly WriteRef[] => {
  const prefix = prefixOf(path);
  const writes = records.filter((record) => record.seq <= seq).flatMap(listWrites);
  if (path.startsWith("$")) return writes.filter((write) => write.path === path).toReversed();
  const asked = parsePath(stripPrefix(path));
  const isAbout = (write: WriteRef) => {
    const own = parsePath(stripPrefix(write.path));

    return asked !== null && own !== null && (isAtOrBelow(own, asked) || isAtOrBelow(asked, own));
  };
  const own = writes.filter((write) => !write.path.startsWith("$") && prefixOf(write.path) === prefix && isAbout(write));
  const cells = own.reduce<readonly Cell[]>((standing, write) => withCell(standing, hiddenCell(write)), []);

  return findCellsAt(cells, stripPrefix(path))
    .map((cell) => refOf(cell, prefix))
    .toReversed();
};

const controlLabelOf = (record: LedgerRecord): Label =>
  joinLabels(record.control.flatMap((event) => (event.type === "node_entered" ? event.controls.map(({ label }) => label) : [])));

const wholeStep = (record: LedgerRecord | undefined, via: Via, label: (of: LedgerRecord) => Label): readonly Step[] =>
  record ? [{ seq: record.seq, write: null, via, label: label(record) }] : [];

const writtenLabel = (record: LedgerRecord): Label => joinLabels(record.writes.map((write) => write.label));

const readSteps = ({ bySeq }: LedgerIndex, record: LedgerRecord): readonly Step[] =>
  record.reads.flatMap(({ key, seq }): Step[] => {
    const read = bySeq.get(seq);
    const write = read && listWrites(read).find((candidate) => candidate.path === key || stripPrefix(candidate.path) === key);

    return write ? [{ seq, write, via: "read", label: write.label }] : [];
  });

const eventSteps = (index: LedgerIndex, record: LedgerRecord): readonly Step[] => {
  const before = (places: ReadonlyMap<string, readonly number[]>, id: string) =>
    index.bySeq.get(findLastBefore(places.get(id), record.seq) ?? -1);

  return record.control.flatMap((event): readonly Step[] => {
    if (event.type === "effect_settled") return wholeStep(before(index.intended, event.effect_id), "effect", writtenLabel);
    if (event.type === "gate_resolved") return wholeStep(before(index.opened, event.approval_id), "gate", writtenLabel);

    return [];
  });
};

const controlSteps = ({ bySeq, entered }: LedgerIndex, record: LedgerRecord): readonly Step[] =>
  record.node === null ? [] : wholeStep(bySeq.get(findLastBefore(entered.get(record.node), record.seq) ?? -1), "control", controlLabelOf);

/** @param records whole ledger; indexed once */
export const listDependencies = (records: readonly LedgerRecord[], record: LedgerRecord): readonly Step[] => {
  const index = indexLedger(records);

  return [...readSteps(index, record), ...eventSteps(index, record), ...controlSteps(index, record)];
};

export const OUTSIDE: readonly string[] = [
  "start",
  "fork",
  "effect_outcome",
  "effect_input",
  "recall",
  "decision",
  "model_call",
  "compaction",
];

export type Slice = {
  readonly records: readonly number[];
  readonly inputs: readonly number[];
};

export const sliceOf = (records: readonly LedgerRecord[], path: string, seq: number): Slice => {
  const { bySeq } = indexLedger(records);
  const reached = new Set<number>();
  const open = blame(records, path, seq).map((write) => write.seq);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const record = bySeq.get(next);
    if (!record || reached.has(next)) continue;
    reached.add(next);
    open.push(...listDependencies(records, record).map((step) => step.seq));
  }
  const all = [...reached].toSorted((a, b) => a - b);

  return { records: all, inputs: all.filter((one) => OUTSIDE.includes(bySeq.get(one)?.proposal_kind ?? "")) };
};

export const toLedgerPath = (frames: readonly { readonly activation: number }[], path: string): string =>
  path.startsWith("$") ? path : `${getFramePrefix(frames)}${path}`;

export const isNoMoreTrusted = (label: Label, than: Integrity): boolean =>
  INTEGRITIES.indexOf(label.integrity) <= INTEGRITIES.indexOf(than);
