import { oncePer } from "@/lib/once-per";
import { listDependencies, OUTSIDE, listWrites, type Via, type WriteRef } from "@/lib/engine/labels/blame";
import { indexLedger } from "@/lib/engine/ledger/ledger-index";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type SliceOptions = {
  /** Control flow; without it: reads, requests and decisions. */
  readonly withWay: boolean;
};

export type SliceStep = {
  readonly seq: number;
  readonly via: Via | "written";
  readonly depth: number;
  readonly from: number | null;
  readonly path: string | null;
  readonly isInput: boolean;
};

type Link = { readonly seq: number; readonly via: Via | "written"; readonly path: string | null };

const keyOf = (seq: number, index: number): string => `${seq}.${index}`;

const push = <K>(links: Map<K, Link[]>, key: K, link: Link): void => {
  const known = links.get(key);
  if (known === undefined) links.set(key, [link]);
  else known.push(link);
};

type Neighbours = (seq: number) => readonly Link[];

/** Breadth first, so records hang on a nearest parent. */
const treeOf = (start: readonly Link[], next: Neighbours, isInput: (seq: number) => boolean): readonly SliceStep[] => {
  const children = new Map<number | null, Link[]>([[null, []]]);
  const seen = new Set<number>();
  const queue: { readonly link: Link; readonly from: number | null }[] = start.map((link) => ({ link, from: null }));
  for (let at = 0; at < queue.length; at += 1) {
    const item = queue[at];
    if (!item || seen.has(item.link.seq)) continue;
    seen.add(item.link.seq);
    push(children, item.from, item.link);
    for (const link of next(item.link.seq)) queue.push({ link, from: item.link.seq });
  }
  const steps: SliceStep[] = [];
  const open = (children.get(null) ?? []).toReversed().map((link) => ({ link, depth: 0, from: null as number | null }));
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { link, depth, from } = item;
    steps.push({ ...link, depth, from, isInput: isInput(link.seq) });
    for (const child of (children.get(link.seq) ?? []).toReversed()) open.push({ link: child, depth: depth + 1, from: link.seq });
  }

  return steps;
};

const isFollowed = ({ withWay }: SliceOptions, via: Via): boolean => withWay || via !== "control";

const inputTest = (records: readonly LedgerRecord[]): ((seq: number) => boolean) => {
  const { bySeq } = indexLedger(records);

  return (seq) => OUTSIDE.includes(bySeq.get(seq)?.proposal_kind ?? "");
};

/** Returns what these may rest on, back to outside inputs. */
export const sliceBackward = (records: readonly LedgerRecord[], from: readonly WriteRef[], options: SliceOptions): readonly SliceStep[] => {
  const { bySeq } = indexLedger(records);
  const next: Neighbours = (seq) => {
    const record = bySeq.get(seq);
    const steps = record ? listDependencies(records, record) : [];

    return steps.flatMap((step) =>
      isFollowed(options, step.via) ? [{ seq: step.seq, via: step.via, path: step.write?.path ?? null }] : [],
    );
  };

  return treeOf(
    from.map(({ seq, path }) => ({ seq, path, via: "written" })),
    next,
    inputTest(records),
  );
};

type Dependents = { readonly readers: ReadonlyMap<string, readonly Link[]>; readonly followers: ReadonlyMap<number, readonly Link[]> };

const dependentsIn = oncePer((records: readonly LedgerRecord[]): Dependents => {
  const readers = new Map<string, Link[]>();
  const followers = new Map<number, Link[]>();
  for (const record of records) {
    for (const { seq, write, via } of listDependencies(records, record)) {
      const link = { seq: record.seq, via, path: write?.path ?? null };
      if (write) push(readers, keyOf(write.seq, write.index), link);
      else push(followers, seq, link);
    }
  }

  return { readers, followers };
});

/** Returns everything a write may have touched later. */
export const forwardSlice = (
  records: readonly LedgerRecord[],
  write: Pick<WriteRef, "seq" | "index">,
  options: SliceOptions,
): readonly SliceStep[] => {
  const { bySeq } = indexLedger(records);
  const { readers, followers } = dependentsIn(records);
  const touchedBy = (seq: number, indexes: readonly number[]): readonly Link[] =>
    [...indexes.flatMap((index) => readers.get(keyOf(seq, index)) ?? []), ...(followers.get(seq) ?? [])].filter(
      ({ via }) => via !== "written" && isFollowed(options, via),
    );
  const next: Neighbours = (seq) => {
    const record = bySeq.get(seq);

    return record ? touchedBy(seq, [...record.writes.keys()]) : [];
  };

  return treeOf(touchedBy(write.seq, [write.index]), next, inputTest(records));
};

export type Touched = {
  readonly effects: readonly { readonly seq: number; readonly server: string; readonly tool: string }[];
  readonly gates: readonly { readonly seq: number; readonly id: string; readonly node: string }[];
  readonly outputs: readonly WriteRef[];
};

const above = (path: string): string[] => path.split(".").map((_, at, parts) => parts.slice(0, at + 1).join("."));

const standingWrites = (records: readonly LedgerRecord[]): readonly WriteRef[] => {
  const hidden = new Set<string>();
  const standing: WriteRef[] = [];
  for (const record of records.toReversed()) {
    for (const write of listWrites(record).toReversed()) {
      if (write.path.startsWith("$") || above(write.path).some((path) => hidden.has(path))) continue;
      hidden.add(write.path);
      standing.push(write);
    }
  }

  return standing;
};

export const collectTouched = (records: readonly LedgerRecord[], slice: readonly Pick<SliceStep, "seq">[]): Touched => {
  const { bySeq } = indexLedger(records);
  const seqs = new Set(slice.map(({ seq }) => seq));
  const inside = [...seqs].toSorted((a, b) => a - b).flatMap((seq) => bySeq.get(seq) ?? []);

  return {
    effects: inside.flatMap(({ seq, control }) =>
      control.flatMap((event) => (event.type === "effect_intended" ? [{ seq, server: event.effect.server, tool: event.effect.tool }] : [])),
    ),
    gates: inside.flatMap(({ seq, control }) =>
      control.flatMap((event) => (event.type === "gate_opened" ? [{ seq, id: event.gate.id, node: event.gate.node }] : [])),
    ),
    outputs: standingWrites(records).filter(({ seq }) => seqs.has(seq)),
  };
};
