/** Records as they are stored: the canonical text, and who signed what of it. */
import { canonicalJson, plainJson } from "@/lib/json";
import { recordDigest } from "@/lib/engine/chain";
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
    return parsed.success && plainJson(parsed.data, PLAIN).ok ? parsed.data : null;
  } catch {
    return null;
  }
};

/** A record by itself, whatever stands around it: exactly this text was signed with a known key. Null for anything else. */
export const genuineRecord = async (stored: StoredRecord, keys: PublicKeys): Promise<SignedRecord | null> => {
  const signed = parseRecord(stored);
  if (!signed || signed.record.seq !== stored.seq) return null;
  if (recordDigest(signed.record) !== stored.digest || canonicalJson(signed.record) !== stored.body) return null;
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;

  return key !== undefined && (await verifyDigest(key, signed.signature, signed.digest)) ? signed : null;
};
