/** Caches verified records and signatures. Reread rows that differ are verified again. */
import { isSameRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { PublicKeys, SignedDigest, VerifyDigests } from "@/lib/engine/ledger/signature";
import { verifyDigestHere } from "@/server/security/verify-digest";

/** Ten thousand records: fifteen million characters, several times that in memory. */
const MOST_TEXT = 24 * 1_048_576;
const MOST_SIGNATURES = 50_000;

/** Claimed digests are only hints. */
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

/** Maps rows to their first seen objects, for reuse. */
export const hideSeals = (records: readonly StoredRecord[]): StoredRecord[] => {
  const found = records.map(seenAs);
  forgetOldest();

  return found;
};

const checked = new Map<string, Promise<boolean>>();

/** Failures are checked again. */
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

/** Verifies through the cache. */
export const verifyUnseen: VerifyDigests = (signed) => Promise.all(signed.map(checkOnce));

/** Leaves thread jobs for others. */
const AT_ONCE = 256;

/** Starts checking signatures early. Does not match digests to records. */
export const verifyAhead = async (records: readonly StoredRecord[], keys: PublicKeys): Promise<void> => {
  for (let from = 0; from < records.length; from += AT_ONCE) {
    const some = records.slice(from, from + AT_ONCE);
    await verifyUnseen(
      some.map(({ kid, digest, signature }) => ({ key: Object.hasOwn(keys, kid) ? (keys[kid] ?? "") : "", digest, signature })),
    );
  }
};
