/** Records as they are stored: the canonical text, and who signed what of it. */
import { digestOfText } from "@/lib/hash";
import { plainJson } from "@/lib/json";
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

/**
 * Whether a text that parses can be nothing but plain JSON: no escape that could hide half a character or a name of a
 * prototype, none of those names, and too few brackets to be too deep. For any other text the value is looked at itself,
 * which costs more than all the rest of reading a record.
 */
const isSurelyPlain = ({ body, kid, signature }: StoredRecord): boolean =>
  body.length < PLAIN.maxBytes / 4 &&
  [body, kid, signature].every((part) => part.isWellFormed()) &&
  !/\\u|__proto__|constructor|prototype|toJSON/u.test(body) &&
  body.split(/[[{]/u, MOST_OPENED + 2).length <= MOST_OPENED + 1;

/** `value`: what stands in the text. */
type Parsed = { readonly value: unknown; readonly signed: SignedRecord };

const parse = (stored: StoredRecord): Parsed | null => {
  try {
    const value: unknown = JSON.parse(stored.body);
    const { digest, kid, signature } = stored;
    const parsed = signedRecordSchema.safeParse({ record: value, digest, kid, signature });

    // A text that is no plain JSON has no canonical form, and so no digest.
    return parsed.success && (isSurelyPlain(stored) || plainJson(parsed.data, PLAIN).ok) ? { value, signed: parsed.data } : null;
  } catch {
    return null;
  }
};

/** What is stored as a record, or null when it has not even the form of one. Nothing is verified. */
export const parseRecord = (stored: StoredRecord): SignedRecord | null => parse(stored)?.signed ?? null;

/** Whether the text is exactly what the record is hashed from, and the digest is of it. */
const isItsText = ({ value, signed }: Parsed, { body, digest }: StoredRecord): boolean =>
  isCanonicalText(body, value, signed.record) && digestOfText("record", body) === digest;

type Read = StoredRecord & { readonly signed: SignedRecord };

/** What objects were read as: a ledger is verified, then replayed and looked at, and nobody has to read it anew for that. */
const reads = new WeakMap<StoredRecord, Read>();

/** Whether every column is the same. */
export const isSameRecord = (a: StoredRecord, b: StoredRecord): boolean =>
  a.seq === b.seq && a.body === b.body && a.digest === b.digest && a.kid === b.kid && a.signature === b.signature;

/** The record that this object was read as before, or undefined. */
export const recordRead = (stored: StoredRecord): SignedRecord | undefined => {
  const read = reads.get(stored);

  return read && isSameRecord(read, stored) ? read.signed : undefined;
};

/** Everything about a stored record that takes neither a key nor the record before it. */
export const readRecord = (stored: StoredRecord): SignedRecord | "malformed" | "hash" => {
  const read = recordRead(stored);
  if (read) return read;
  const parsed = parse(stored);
  if (!parsed) return "malformed";
  // The text is what was signed: any byte beside the canonical form is a change.
  if (!isItsText(parsed, stored)) return "hash";
  const { signed } = parsed;
  const { seq, body, digest, kid, signature } = stored;
  reads.set(stored, { seq, body, digest, kid, signature, signed });

  return signed;
};

/** A record by itself, whatever stands around it: exactly this text was signed with a known key that might. Null for anything else. */
export const genuineRecord = async (
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
