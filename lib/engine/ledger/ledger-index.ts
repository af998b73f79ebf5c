import { oncePer } from "@/lib/once-per";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type LedgerIndex = {
  readonly bySeq: ReadonlyMap<number, LedgerRecord>;
  readonly intended: ReadonlyMap<string, readonly number[]>;
  readonly opened: ReadonlyMap<string, readonly number[]>;
  readonly entered: ReadonlyMap<string, readonly number[]>;
};

const add = (places: Map<string, number[]>, id: string, seq: number): void => {
  const known = places.get(id);
  if (known === undefined) places.set(id, [seq]);
  else known.push(seq);
};

/** Ledgers grow into new arrays, so indexes stay valid. */
export const indexLedger = oncePer((records: readonly LedgerRecord[]): LedgerIndex => {
  const intended = new Map<string, number[]>();
  const opened = new Map<string, number[]>();
  const entered = new Map<string, number[]>();
  for (const { seq, control } of records) {
    for (const event of control) {
      if (event.type === "effect_intended") add(intended, event.effect_id, seq);
      if (event.type === "gate_opened") add(opened, event.gate.id, seq);
      if (event.type === "node_entered") add(entered, event.node, seq);
    }
  }

  return { bySeq: new Map(records.map((record) => [record.seq, record])), intended, opened, entered };
});

/** Finds the last position before `before`. */
export const findLastBefore = (places: readonly number[] | undefined, before: number): number | undefined => {
  if (!places) return undefined;
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? before) < before) low = middle + 1;
    else high = middle;
  }

  return places[low - 1];
};
