import { ed25519 } from "@noble/curves/ed25519.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toCanonicalJson } from "@/lib/json";
import { recordDigest } from "@/lib/engine/ledger/chain";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { parseRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";

export const TAMPER_KINDS = [
  "edit",
  "reorder",
  "insert",
  "delete",
  "truncate",
  "rollback",
  "fork",
  "deleted_run",
  "forged_run",
  "unsigned_run",
  "wrong_key",
  "swapped_cells",
  "lowered_label",
] as const;
export type TamperKind = (typeof TAMPER_KINDS)[number];

export const TAMPER_TEXT = {
  edit: { title: "Edit a record", what: "Changes a number in a record and keeps its digest and signature." },
  reorder: { title: "Reorder records", what: "Swaps two records of a run." },
  insert: { title: "Insert a record", what: "Inserts a made-up record with a matching digest between two others." },
  delete: { title: "Delete a record", what: "Removes a record from the middle and moves the later ones up." },
  truncate: { title: "Truncate", what: "Removes the last records." },
  rollback: {
    title: "Roll back",
    what: "Restores an earlier state. Later records are gone, with every head and checkpoint that names them.",
  },
  fork: { title: "Rewrite history", what: "From one record on, the run continues from a different record with a matching digest." },
  deleted_run: { title: "Delete a run", what: "Removes a whole run as if it had never existed." },
  forged_run: { title: "Forge a run", what: "Adds a made-up run, correctly chained and signed with a foreign key." },
  unsigned_run: { title: "Add an unsigned run", what: "Adds a made-up run, correctly chained but not signed." },
  wrong_key: { title: "Sign with another key", what: "Changes a record and signs it again with a key that is not the runner's." },
  swapped_cells: { title: "Swap values", what: "Swaps two written values." },
  lowered_label: { title: "Lower a label", what: "Marks a tainted or hidden value as trusted and public." },
} as const satisfies Record<TamperKind, { readonly title: string; readonly what: string }>;

export type Tampered<D> = {
  readonly document: D;
  readonly run: string;
  readonly seq: number | null;
  readonly before: string;
  readonly after: string;
};

const STRANGER_SECRET = sha256(utf8ToBytes("a key that nobody trusts"));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const STRANGER = { kid: "57a8ce2057a8ce20", publicKey: base64Url(ed25519.getPublicKey(STRANGER_SECRET)) } as const;

export const restoreSignature = (record: LedgerRecord, { kid, signature }: Pick<StoredRecord, "kid" | "signature">): StoredRecord => ({
  seq: record.seq,
  body: toCanonicalJson(record),
  digest: recordDigest(record),
  kid,
  signature,
});

export const signByStranger = (record: LedgerRecord): StoredRecord => ({
  ...restoreSignature(record, { kid: STRANGER.kid, signature: "" }),
  signature: base64Url(ed25519.sign(hexToBytes(recordDigest(record)), STRANGER_SECRET)),
});

export const recordIn = (stored: StoredRecord): LedgerRecord | null => parseRecord(stored)?.record ?? null;

export const withOtherTime = (body: string): string =>
  body.replace(/"at":(\d+)/u, (_match, at: string) => `"at":${String(Number(at) + 60_000)}`);

/** Returns the differing middles with context. */
export const cutChangedPart = (before: string, after: string, around = 48): { readonly before: string; readonly after: string } => {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const cut = (text: string): string => {
    const [from, to] = [Math.max(0, start - around), Math.min(text.length, text.length - end + around)];

    return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
  };

  return { before: cut(before), after: cut(after) };
};
