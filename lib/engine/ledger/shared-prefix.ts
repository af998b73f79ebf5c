import type { HexDigest } from "@/lib/hash";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { parseRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { GENESIS_PARENT } from "@/lib/engine/state";

export type SharedPrefix = {
  readonly identical: number;
  /** Covers everything before. */
  readonly digest: HexDigest | null;
  readonly differs: "end" | "other" | "broken";
};

const digestAfter = (stored: StoredRecord, before: HexDigest): HexDigest | null => {
  const record = parseRecord(stored)?.record;
  if (!record || record.parent !== before) return null;
  const digest = recordDigest(record);

  return digest === stored.digest ? digest : null;
};

export const findSharedPrefix = (a: readonly StoredRecord[], b: readonly StoredRecord[]): SharedPrefix => {
  let before = GENESIS_PARENT;
  const end = Math.min(a.length, b.length);
  for (let seq = 0; seq < end; seq += 1) {
    const [one, other] = [a[seq], b[seq]];
    const digest = one && digestAfter(one, before);
    const known = { identical: seq, digest: seq === 0 ? null : before };
    if (!one || !other || !digest) return { ...known, differs: "broken" };
    if (one.body !== other.body || other.digest !== digest) {
      return { ...known, differs: digestAfter(other, before) === null ? "broken" : "other" };
    }
    before = digest;
  }

  return { identical: end, digest: end === 0 ? null : before, differs: "end" };
};
