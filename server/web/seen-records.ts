/**
 * Records that this process has read before, and signatures that it has found good. Rows are read from the database each time and
 * compared with what was seen, column by column: one that differs is another record, and is checked from the beginning.
 */
import { isSameRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { PublicKeys, SignedDigest, VerifyDigests } from "@/lib/engine/ledger/signature";
import { verifyDigestHere } from "@/server/security/verify-digest";

/** In characters: a run of ten thousand records has about fifteen million, and takes several times that in memory. */
const MOST_TEXT = 24 * 1_048_576;
const MOST_SIGNATURES = 50_000;

/** By what rows say their digest is, which is no more than where to look. The least recently used ones go first. */
const seen = new Map<string, StoredRecord>();
let textKept = 0;

const forget = (stored: StoredRecord): void => {
  if (seen.delete(stored.digest)) textKept -= stored.body.length;
};

const forgetOldest = (): void => {
  for (const oldest of seen.values()) {
    if (textKept <= MOST_TEXT) return;
    forget(oldest);
  }
};

const seenAs = (stored: StoredRecord): StoredRecord => {
  const before = seen.get(stored.digest);
  const kept = before && isSameRecord(before, stored) ? before : stored;
  if (before) forget(before);
  seen.set(kept.digest, kept);
  textKept += kept.body.length;

  return kept;
};

/** The same rows, each as the object that it was when it was seen first, so that what was read of it is known. */
export const seenRecords = (records: readonly StoredRecord[]): StoredRecord[] => {
  const found = records.map(seenAs);
  forgetOldest();

  return found;
};

/** Signatures that were good, or are being checked, by everything that they are of. */
const checked = new Map<string, Promise<boolean>>();

/** A signature that was good under a key for a digest stays so; one that was not is checked anew. */
const checkOnce = (signed: SignedDigest): Promise<boolean> => {
  const text = `${signed.key} ${signed.digest} ${signed.signature}`;
  const known = checked.get(text);
  if (known) return known;
  if (checked.size >= MOST_SIGNATURES) checked.clear();
  const answer = verifyDigestHere(signed);
  checked.set(text, answer);
  void answer.then((good) => good || checked.delete(text));

  return answer;
};

/** As `verifyDigests`. */
export const verifyUnseen: VerifyDigests = (signed) => Promise.all(signed.map(checkOnce));

/** So many wait for a thread at once: others need the threads too. */
const AT_ONCE = 256;

/**
 * Has the signatures of these records checked from now on, while whoever asked opens cells and reads records: it will find most of them
 * done. Whether a digest is of its record is not looked at here.
 */
export const verifyAhead = async (records: readonly StoredRecord[], keys: PublicKeys): Promise<void> => {
  for (let from = 0; from < records.length; from += AT_ONCE) {
    const some = records.slice(from, from + AT_ONCE);
    await verifyUnseen(
      some.map(({ kid, digest, signature }) => ({ key: Object.hasOwn(keys, kid) ? (keys[kid] ?? "") : "", digest, signature })),
    );
  }
};
