import { digestOfText } from "@/lib/hash";
import { toPlainJson } from "@/lib/json";
import { isRetired, NOT_RETIRED, type Retired } from "@/lib/engine/ledger/handover";
import { signedRecordSchema, type SignedRecord } from "@/lib/engine/ledger/record";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";
import { isCanonicalText } from "@/lib/engine/ledger/stored-record-text";

/** Canonical text as stored, with digest and signature. */
export type StoredRecord = {
  readonly seq: number;
  readonly body: string;
  readonly digest: string;
  readonly kid: string;
  readonly signature: string;
};

export const PLAIN = { maxBytes: 64 * 1_048_576, maxDepth: 64 };

const MOST_OPENED = 60;

/** The full check costs more than all other reading. */
const isSurelyPlain = ({ body, kid, signature }: StoredRecord): boolean =>
  body.length < PLAIN.maxBytes / 4 &&
  [body, kid, signature].every((part) => part.isWellFormed()) &&
  !/\\u|__proto__|constructor|prototype|toJSON/u.test(body) &&
  body.split(/[[{]/u, MOST_OPENED + 2).length <= MOST_OPENED + 1;

type Parsed = { readonly value: unknown; readonly signed: SignedRecord };

const parse = (stored: StoredRecord): Parsed | null => {
  try {
    const value: unknown = JSON.parse(stored.body);
    const { digest, kid, signature } = stored;
    const parsed = signedRecordSchema.safeParse({ record: value, digest, kid, signature });

    // Not plain JSON: no canonical form.
    return parsed.success && (isSurelyPlain(stored) || toPlainJson(parsed.data, PLAIN).ok) ? { value, signed: parsed.data } : null;
  } catch {
    return null;
  }
};

/** Parses a record without verifying; null: malformed. */
export const parseRecord = (stored: StoredRecord): SignedRecord | null => parse(stored)?.signed ?? null;

const isItsText = ({ value, signed }: Parsed, { body, digest }: StoredRecord): boolean =>
  isCanonicalText(body, value, signed.record) && digestOfText("record", body) === digest;

type Read = StoredRecord & { readonly signed: SignedRecord };

/** Each ledger is verified, replayed and displayed. */
const reads = new WeakMap<StoredRecord, Read>();

export const isSameRecord = (a: StoredRecord, b: StoredRecord): boolean =>
  a.seq === b.seq && a.body === b.body && a.digest === b.digest && a.kid === b.kid && a.signature === b.signature;

/** Returns this object's cached read. */
export const recordRead = (stored: StoredRecord): SignedRecord | undefined => {
  const read = reads.get(stored);

  return read && isSameRecord(read, stored) ? read.signed : undefined;
};

/** Checks everything that needs neither keys nor predecessor. */
export const readRecord = (stored: StoredRecord): SignedRecord | "malformed" | "hash" => {
  const read = recordRead(stored);
  if (read) return read;
  const parsed = parse(stored);
  if (!parsed) return "malformed";
  // Any byte off the canonical form is a change.
  if (!isItsText(parsed, stored)) return "hash";
  const { signed } = parsed;
  const { seq, body, digest, kid, signature } = stored;
  reads.set(stored, { seq, body, digest, kid, signature, signed });

  return signed;
};

/** Returns the record if a known, unretired key signed it. */
export const verifyRecord = async (
  stored: StoredRecord,
  keys: PublicKeys,
  retired: Retired = NOT_RETIRED,
): Promise<SignedRecord | null> => {
  const signed = readRecord(stored);
  if (typeof signed === "string" || signed.record.seq !== stored.seq) return null;
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;
  if (isRetired(retired, signed.kid, signed.record.at)) return null;

  return key !== undefined && (await verifyDigest(key, signed.signature, signed.digest)) ? signed : null;
};
