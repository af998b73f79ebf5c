/** Records as they are stored: the canonical text, and who signed what of it. */
import { digestOfText } from "@/lib/hash";
import { canonicalJson, plainJson } from "@/lib/json";
import { isRetired, NOT_RETIRED, type Retired } from "@/lib/engine/handover";
import { signedRecordSchema, type SignedRecord } from "@/lib/engine/record";
import { verifyDigest, type PublicKeys } from "@/lib/engine/signature";

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

/** What is stored as a record, or null when it has not even the form of one. Nothing is verified. */
export const parseRecord = (stored: StoredRecord): SignedRecord | null => {
  try {
    const parsed = signedRecordSchema.safeParse({
      record: JSON.parse(stored.body) as unknown,
      digest: stored.digest,
      kid: stored.kid,
      signature: stored.signature,
    });

    // A text that is no plain JSON has no canonical form, and so no digest.
    return parsed.success && (isSurelyPlain(stored) || plainJson(parsed.data, PLAIN).ok) ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Whether the text is exactly what the record is hashed from, and the digest is of it. */
export const isItsText = ({ record }: SignedRecord, { body, digest }: StoredRecord): boolean =>
  canonicalJson(record) === body && digestOfText("record", body) === digest;

/** A record by itself, whatever stands around it: exactly this text was signed with a known key that might. Null for anything else. */
export const genuineRecord = async (
  stored: StoredRecord,
  keys: PublicKeys,
  retired: Retired = NOT_RETIRED,
): Promise<SignedRecord | null> => {
  const signed = parseRecord(stored);
  if (!signed || signed.record.seq !== stored.seq) return null;
  if (!isItsText(signed, stored)) return null;
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;
  if (isRetired(retired, signed.kid, signed.record.at)) return null;

  return key !== undefined && (await verifyDigest(key, signed.signature, signed.digest)) ? signed : null;
};
