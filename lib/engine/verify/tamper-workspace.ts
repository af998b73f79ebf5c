import { GENESIS_PARENT } from "@/lib/engine/state";
import { forkIn } from "@/lib/engine/ledger/lineage";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { recordIn, restoreSignature, signByStranger, STRANGER, type TamperKind, type Tampered } from "@/lib/engine/verify/tamper";
import { isRecordKind, tamperRecords, type TamperedRecords } from "@/lib/engine/verify/tamper-records";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { RunRecord, WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

const MADE_UP = "f0f0f0f0-f0f0-4f0f-8f0f-f0f0f0f0f0f0";

const ownOf = (document: WorkspaceExport, run: string): readonly StoredRecord[] =>
  document.records.filter((record) => record.run === run).map(({ run: _run, ...record }) => record);

/** The longest offers most. */
const chosenRun = (document: WorkspaceExport): string | null => {
  const counts = new Map<string, number>();
  for (const record of document.records) {
    if (record.run !== getWorkspaceLedgerId(document.workspace)) counts.set(record.run, (counts.get(record.run) ?? 0) + 1);
  }
  const first = new Map(document.records.map((record) => [`${record.run} ${record.seq}`, record]));
  const whole = [...counts].filter(([run]) => first.has(`${run} 0`));

  return whole.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
};

const inRun = (run: string, records: readonly StoredRecord[]): readonly RunRecord[] => records.map((record) => ({ run, ...record }));

/** A careful attacker adjusts the head's count. */
const withRecords = (document: WorkspaceExport, run: string, tampered: TamperedRecords): Tampered<WorkspaceExport> => {
  const at = document.records.findIndex((record) => record.run === run);
  const others = document.records.filter((record) => record.run !== run);
  const { records, seq, before, after } = tampered;
  const heads = document.heads.map((head) =>
    head.run === run ? { ...head, version: records.length, digest: records.at(-1)?.digest ?? head.digest } : head,
  );

  return {
    document: { ...document, heads, records: [...others.slice(0, at), ...inRun(run, records), ...others.slice(at)] },
    run,
    seq,
    before,
    after,
  };
};

const backupCount = ({ leaves, checkpoints }: WorkspaceExport): number =>
  checkpoints.findLast(({ signed }) => signed.checkpoint.count < leaves.length)?.signed.checkpoint.count ?? Math.ceil(leaves.length / 2);

const rolledBack = (document: WorkspaceExport): Tampered<WorkspaceExport> | null => {
  const count = backupCount(document);
  const [kept, gone] = [document.leaves.slice(0, count), document.leaves.slice(count)];
  const [first] = gone;
  if (!first) return null;
  const left = new Set(kept.map(({ run, seq }) => `${run} ${seq}`));
  const records = document.records.filter(({ run, seq }) => left.has(`${run} ${seq}`));
  const last = new Map(records.map((record) => [record.run, record]));
  const heads = document.heads.flatMap(({ run }) => {
    const record = last.get(run);

    return record ? [{ run, version: record.seq + 1, digest: record.digest }] : [];
  });
  const before = document.records.find(({ run, seq }) => run === first.run && seq === first.seq)?.body ?? "";

  return {
    document: {
      ...document,
      records,
      heads,
      leaves: kept,
      checkpoints: document.checkpoints.filter(({ signed }) => signed.checkpoint.count <= count),
    },
    run: first.run,
    seq: first.seq,
    before,
    after: "",
  };
};

const madeUp = (
  document: WorkspaceExport,
  run: string,
  store: (record: LedgerRecord) => StoredRecord,
): Tampered<WorkspaceExport> | null => {
  const chain: StoredRecord[] = [];
  for (const stored of ownOf(document, run)) {
    const record = recordIn(stored);
    // A fabricated fork would need a fabricated parent.
    if (!record || forkIn(record)) return null;
    chain.push(store({ ...record, run: MADE_UP, parent: chain.at(-1)?.digest ?? GENESIS_PARENT }));
  }
  const last = chain.at(-1);
  if (!last) return null;

  return {
    document: {
      ...document,
      public_keys: { ...document.public_keys, [STRANGER.kid]: STRANGER.publicKey },
      heads: [...document.heads, { run: MADE_UP, version: chain.length, digest: last.digest }],
      records: [...document.records, ...inRun(MADE_UP, chain)],
    },
    run: MADE_UP,
    seq: 0,
    before: "",
    after: chain[0]?.body ?? "",
  };
};

const deleted = (document: WorkspaceExport, run: string): Tampered<WorkspaceExport> => ({
  document: {
    ...document,
    records: document.records.filter((record) => record.run !== run),
    heads: document.heads.filter((head) => head.run !== run),
  },
  run,
  seq: null,
  before: ownOf(document, run)[0]?.body ?? "",
  after: "",
});

const rewritten = (
  records: readonly StoredRecord[],
  change: (writes: LedgerRecord["writes"]) => LedgerRecord["writes"] | null,
): TamperedRecords | null => {
  for (const [at, stored] of records.entries()) {
    const record = recordIn(stored);
    const writes = record && change(record.writes);
    if (!record || !writes) continue;
    const after = restoreSignature({ ...record, writes }, stored);

    return { records: records.with(at, after), seq: stored.seq, before: stored.body, after: after.body };
  }

  return null;
};

const swappedWrites = (writes: LedgerRecord["writes"]): LedgerRecord["writes"] | null => {
  const [first, second, ...rest] = writes;
  if (!first || !second || first.commitment === second.commitment) return null;

  return [{ ...first, commitment: second.commitment }, { ...second, commitment: first.commitment }, ...rest];
};

const loweredWrites = (writes: LedgerRecord["writes"]): LedgerRecord["writes"] | null => {
  const at = writes.findIndex(({ label }) => label.integrity !== "trusted" || label.confidentiality !== "public");
  const write = writes[at];

  return write ? writes.with(at, { ...write, label: { integrity: "trusted", confidentiality: "public", provenance: [] } }) : null;
};

const recordsTampered = (kind: TamperKind, records: readonly StoredRecord[]): TamperedRecords | null => {
  if (isRecordKind(kind)) return tamperRecords(kind, records);
  if (kind === "swapped_cells") return rewritten(records, swappedWrites);
  if (kind === "lowered_label") return rewritten(records, loweredWrites);
  const last = records.at(-1);

  return last && records.length > 1 ? { records: records.slice(0, -1), seq: last.seq, before: last.body, after: "" } : null;
};

/** Tampers with a copy; null: too small. */
export const tamperWorkspace = (kind: TamperKind, document: WorkspaceExport): Tampered<WorkspaceExport> | null => {
  if (kind === "rollback") return rolledBack(document);
  const run = chosenRun(document);
  if (run === null) return null;
  if (kind === "deleted_run") return deleted(document, run);
  if (kind === "forged_run") return madeUp(document, run, signByStranger);
  const runner = ownOf(document, run)[0]?.kid ?? "";
  if (kind === "unsigned_run") return madeUp(document, run, (record) => restoreSignature(record, { kid: runner, signature: "" }));
  const tampered = recordsTampered(kind, ownOf(document, run));

  return tampered && withRecords(document, run, tampered);
};
