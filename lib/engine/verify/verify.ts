import { computeCommitment, type HexDigest } from "@/lib/hash";
import { toCanonicalJson, toPlainJson, type Json } from "@/lib/json";
import { checkForm, checkSignatures, type Before } from "@/lib/engine/verify/check-record";
import { collectRetired, type Retired, type SignedHandover } from "@/lib/engine/ledger/handover";
import type { KnownPasskey } from "@/lib/engine/ledger/passkey-fold";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { collectShredded, getShreddedKey } from "@/lib/engine/ledger/shred";
import { verifyDigests, type PublicKeys, type VerifyDigests } from "@/lib/engine/ledger/signature";
import { PLAIN, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { isSameJson } from "@/lib/engine/ledger/stored-record-text";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { createApproverRule } from "@/lib/engine/verify/verify-approvers";
import { createPasskeyRule, type PasskeyUse } from "@/lib/engine/verify/verify-passkeys";

/** `opened` null: hidden. `shredded`: needs a signed record. */
export type StoredCell = {
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  readonly label: Json;
  readonly commitment: HexDigest;
  readonly opened: { readonly salt: string; readonly value: Json } | "unreadable" | "shredded" | null;
};

export const getOpenedValue = ({ opened }: Pick<StoredCell, "opened">): Json | undefined =>
  opened === null || typeof opened === "string" ? undefined : opened.value;

export type LedgerExport = {
  readonly workspace: string;
  readonly run: string;
  readonly records: readonly StoredRecord[];
  readonly cells: readonly StoredCell[];
  readonly head: { readonly version: number; readonly digest: string };
  readonly shreds?: readonly StoredRecord[] | undefined;
  readonly passkeys?: readonly StoredRecord[] | undefined;
  readonly handovers?: readonly SignedHandover[] | undefined;
};

export const BAD_REASONS = [
  "malformed",
  "hash",
  "link",
  "signature",
  "seq_gap",
  "truncated",
  "wrong_run",
  "unknown_key",
  "retired_key",
  "receipt",
  "passkey",
  "approvers",
  "commitment",
  "cell_missing",
  "cell_label",
  "cell_extra",
  "cell_unreadable",
  "fork_parent",
] as const;
export type BadReason = (typeof BAD_REASONS)[number];

export type Verification =
  | {
      readonly ok: true;
      readonly records: number;
      readonly cellsOpened: number;
      readonly cellsHidden: number;
      readonly cellsShredded: number;
      readonly head: HexDigest;
      readonly passkeys?: readonly PasskeyUse[];
    }
  | { readonly ok: false; readonly seq: number; readonly reason: BadReason };

export const NOT_PROVED = [
  "that no records were removed from the end together with the run's head",
  "that hidden values are correct, only that they match their commitments",
  "what shredded values were, only that they were committed to and that an authorised person had them destroyed",
  "that the runner's clock was right",
] as const;

const opens = (opened: { readonly salt: string; readonly value: Json }, commitment: HexDigest): boolean => {
  try {
    return computeCommitment(opened.salt, opened.value) === commitment;
  } catch {
    return false;
  }
};

const isLabel = (label: Json, written: Json): boolean => {
  if (isSameJson(label, written)) return true;
  const plain = toPlainJson(label, PLAIN);

  return plain.ok && toCanonicalJson(plain.value) === toCanonicalJson(written);
};

const checkCells = (signed: SignedRecord, cells: readonly StoredCell[], shredded: ReadonlySet<string>): BadReason | null => {
  const { writes, run, seq } = signed.record;
  if (cells.some((cell) => writes[cell.index] === undefined)) return "cell_extra";
  if (new Set(cells.map((cell) => cell.index)).size !== cells.length) return "cell_extra";
  for (const [index, write] of writes.entries()) {
    const cell = cells.find((candidate) => candidate.index === index);
    if (!cell) return "cell_missing";
    if (cell.path !== write.path || !isLabel(cell.label, write.label)) return "cell_label";
    if (cell.commitment !== write.commitment) return "commitment";
    if (cell.opened === "unreadable") return "cell_unreadable";
    // Anyone could delete a value, so its absence must be signed.
    if (cell.opened === "shredded" && !shredded.has(getShreddedKey(run, seq, index))) return "cell_missing";
    if (cell.opened !== null && cell.opened !== "shredded" && !opens(cell.opened, write.commitment)) return "commitment";
  }

  return null;
};

const firstOfLast = (runs: readonly string[]): number => runs.findLastIndex((run) => run !== runs.at(-1)) + 1;

/** Overlaps with the next batch's form checks. */
const BATCH = 128;

type Bad = Extract<Verification, { ok: false }>;
type Checked = { readonly from: number; readonly signed: readonly SignedRecord[]; readonly bad: Bad | null; readonly last: Before | null };

const checkForms = (ledger: LedgerExport, from: number, first: Before | null): Checked => {
  const signed: SignedRecord[] = [];
  let before = first;
  for (const [index, stored] of ledger.records.slice(from, from + BATCH).entries()) {
    const seq = from + index;
    const found = checkForm({ workspace: ledger.workspace, seq, before }, stored);
    if (typeof found === "string") return { from, signed, last: before, bad: { ok: false, seq, reason: found } };
    before = { run: found.record.run, digest: found.digest };
    signed.push(found);
  }

  return { from, signed, last: before, bad: null };
};

const listRegistered = async (
  { workspace, passkeys = [] }: LedgerExport,
  keys: PublicKeys,
  retired: Retired,
): Promise<readonly KnownPasskey[]> => {
  if (passkeys.length === 0) return [];
  const { collectPasskeys } = await import("@/lib/engine/ledger/passkey-ledger");

  return collectPasskeys(workspace, passkeys, keys, retired);
};

const NOTHING: Checked = { from: 0, signed: [], bad: null, last: null };

/**
 * Verifies a ledger, including a fork's ancestors.
 * @param onProgress records checked
 */
export const verifyLedger = async (
  ledger: LedgerExport,
  keys: PublicKeys,
  onProgress: (checked: number) => void = () => undefined,
  verifyMany: VerifyDigests = verifyDigests,
): Promise<Verification> => {
  const cellsBySeq = Map.groupBy(ledger.cells, (cell) => cell.seq);
  const retired = await collectRetired(ledger.handovers ?? [], keys);
  const trust = { keys, retired };
  const shredded = await collectShredded(ledger.workspace, ledger.shreds ?? [], keys, retired);
  const byNamed = createApproverRule();
  const rule = createPasskeyRule(await listRegistered(ledger, keys, retired));
  const count = ledger.records.length;
  const runs: string[] = [];
  let batch = checkForms(ledger, 0, null);
  let before: Before | null = null;
  while (batch.signed.length > 0 || batch.bad) {
    const { from, signed, bad, last }: Checked = batch;
    const signatures = checkSignatures(signed, trust, verifyMany);
    // Overlaps with signature checks on another thread.
    batch = bad ? NOTHING : checkForms(ledger, from + BATCH, last);
    const faults = await signatures;
    for (const [index, record] of signed.entries()) {
      const seq = from + index;
      const cells = cellsBySeq.get(seq) ?? [];
      const open = ({ path }: { readonly path: string }) => {
        const cell = cells.find((one) => one.path === path);

        return cell && getOpenedValue(cell);
      };
      const reason =
        faults[index] ??
        checkCells(record, cells, shredded) ??
        ((await rule.check(record.record)) ? null : "passkey") ??
        (byNamed(record.record, open) ? null : "approvers");
      if (reason) return { ok: false, seq, reason };
      runs.push(record.record.run);
      onProgress(seq + 1);
    }
    if (bad) return bad;
    before = last;
  }
  const parent: HexDigest = before?.digest ?? GENESIS_PARENT;
  if (count > 0 && before?.run !== ledger.run) return { ok: false, seq: firstOfLast(runs), reason: "wrong_run" };
  if (ledger.head.version !== count || ledger.head.digest !== parent) return { ok: false, seq: count, reason: "truncated" };
  const stray = ledger.cells.find((cell) => !Number.isInteger(cell.seq) || cell.seq < 0 || cell.seq >= count);
  if (stray) return { ok: false, seq: stray.seq, reason: "cell_extra" };
  const cellsShredded = ledger.cells.filter((cell) => cell.opened === "shredded").length;
  const cellsHidden = ledger.cells.filter((cell) => cell.opened === null).length;
  const cellsOpened = ledger.cells.length - cellsHidden - cellsShredded;

  const passkeys = rule.uses();

  return {
    ok: true,
    records: count,
    cellsOpened,
    cellsHidden,
    cellsShredded,
    head: parent,
    ...(passkeys.length === 0 ? {} : { passkeys }),
  };
};
