/** How far two ledgers are the same, by digests that are computed here and not by what anybody says about them. */
import type { HexDigest } from "@/lib/hash";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { parseRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { GENESIS_PARENT } from "@/lib/engine/state";

export type SharedPrefix = {
  /** Records from the first one on that are the same in both. */
  readonly identical: number;
  /** Of the last of them: a digest is over the one before it, so it stands for all. */
  readonly digest: HexDigest | null;
  /** The records end there, or one of the two has another one there. */
  readonly differs: "end" | "other" | "broken";
};

/** The digest that a record has after this one; null when it is none, or does not follow. */
const digestAfter = (stored: StoredRecord, before: HexDigest): HexDigest | null => {
  const record = parseRecord(stored)?.record;
  if (!record || record.parent !== before) return null;
  const digest = recordDigest(record);

  return digest === stored.digest ? digest : null;
};

/** @param a @param b from their first records on */
export const sharedPrefix = (a: readonly StoredRecord[], b: readonly StoredRecord[]): SharedPrefix => {
  let before = GENESIS_PARENT;
  const end = Math.min(a.length, b.length);
  for (let seq = 0; seq < end; seq += 1) {
    const [one, other] = [a[seq], b[seq]];
    const digest = one && digestAfter(one, before);
    const known = { identical: seq, digest: seq === 0 ? null : before };
    if (!one || !other || !digest) return { ...known, differs: "broken" };
    // The same text under the same digest is the same record; anything else is another one.
    if (one.body !== other.body || other.digest !== digest) {
      return { ...known, differs: digestAfter(other, before) === null ? "broken" : "other" };
    }
    before = digest;
  }

  return { identical: end, digest: end === 0 ? null : before, differs: "end" };
};
