/** Checks a record's form, digest, link and signatures. */
import type { HexDigest } from "@/lib/hash";
import { isRetired, type Retired } from "@/lib/engine/ledger/handover";
import { forkIn, canFollow } from "@/lib/engine/ledger/lineage";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { verifyDigests, verifyReceipt, type PublicKeys, type VerifyDigests } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { readRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";

export type Before = { readonly run: string; readonly digest: HexDigest };

export type FormFault = "seq_gap" | "malformed" | "hash" | "wrong_run" | "fork_parent" | "link";
export type SignatureFault = "unknown_key" | "retired_key" | "signature" | "receipt";

export type Trust = { readonly keys: PublicKeys; readonly retired: Retired };

type Place = { readonly workspace: string; readonly seq: number; readonly before: Before | null };

/** Checks everything that needs no key. */
export const checkForm = ({ workspace, seq, before }: Place, stored: StoredRecord): SignedRecord | FormFault => {
  if (stored.seq !== seq) return "seq_gap";
  const signed = readRecord(stored);
  if (typeof signed === "string") return signed;
  const { record } = signed;
  if (record.seq !== seq) return "seq_gap";
  if (record.workspace !== workspace) return "wrong_run";
  const forked = forkIn(record);
  if (!canFollow(record, before?.run ?? null)) return forked ? "fork_parent" : "wrong_run";
  if (record.parent !== (before?.digest ?? GENESIS_PARENT)) return forked ? "fork_parent" : "link";

  return signed;
};

const checkReceipts = async ({ record }: SignedRecord, { keys, retired }: Trust): Promise<SignatureFault | null> => {
  for (const event of record.control) {
    if (event.type !== "gate_resolved" || !event.receipt) continue;
    if (!(await verifyReceipt(keys, event.receipt))) return "receipt";
    if (isRetired(retired, event.receipt.kid, event.receipt.payload.issued_at)) return "retired_key";
  }

  return null;
};

const keyOf = ({ kid }: SignedRecord, { keys }: Trust): string | undefined => (Object.hasOwn(keys, kid) ? keys[kid] : undefined);

/**
 * Checks signatures.
 * @param verify called once before the first await, to run in parallel
 */
export const checkSignatures = async (
  records: readonly SignedRecord[],
  trust: Trust,
  verify: VerifyDigests = verifyDigests,
): Promise<readonly (SignatureFault | null)[]> => {
  const isGood = await verify(
    records.map((signed) => ({ key: keyOf(signed, trust) ?? "", signature: signed.signature, digest: signed.digest })),
  );

  return Promise.all(
    records.map(async (signed, index) => {
      if (keyOf(signed, trust) === undefined) return "unknown_key";
      if (isGood[index] !== true) return "signature";

      return isRetired(trust.retired, signed.kid, signed.record.at) ? "retired_key" : await checkReceipts(signed, trust);
    }),
  );
};
