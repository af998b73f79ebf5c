/** Verifies a workspace export. Consistent truncation shows only in a checkpoint kept elsewhere. */
import { findCheckpointFault, hashOfLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";
import { checkForm, checkSignatures, type Before, type FormFault, type SignatureFault, type Trust } from "@/lib/engine/verify/check-record";
import { isRetired, collectRetired, type SignedHandover } from "@/lib/engine/ledger/handover";
import { MAX_FORK_DEPTH, type ForkEvent } from "@/lib/engine/forks/fork";
import { forkIn } from "@/lib/engine/ledger/lineage";
import { buildMerkleTree, type MerkleTree } from "@/lib/engine/ledger/merkle-tree";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { parseRecord } from "@/lib/engine/ledger/stored-record";
import { verifyWorkspace, type FoundRecord, type WorkspaceFault } from "@/lib/engine/verify/verify-workspace";
import type { RunRecord, WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

export type WorkspaceExportFault = FormFault | SignatureFault | WorkspaceFault | "truncated" | "not_consistent";

export type WorkspaceExportVerification =
  | {
      readonly ok: true;
      readonly runs: number;
      readonly records: number;
      /** Covered by the newest checkpoint. */
      readonly counted: number;
      readonly logged: number;
      readonly pending: number;
      readonly checkpoints: number;
      readonly newest: SignedCheckpoint | null;
      readonly kept: number;
    }
  | {
      readonly ok: false;
      readonly reason: WorkspaceExportFault;
      /** Null: the log or a checkpoint is bad. */
      readonly run: string | null;
      readonly seq: number | null;
      readonly logIntactTo: number | null;
    };

/**
 * Returns continuations of "this does not prove".
 * @param isHeld against kept checkpoints
 */
export const listWorkspaceNotProved = (isHeld: boolean): readonly string[] => [
  isHeld
    ? "that no records after the kept checkpoint were removed: keep newer checkpoints"
    : "that no records were removed together with everything that names them: only a checkpoint kept elsewhere shows that",
  "that the holder of the signing key has no second history: compare checkpoints from several places",
  "what the values were: the document contains only their commitments",
  "that the runner's clock was right",
];

type Bad = Extract<WorkspaceExportVerification, { ok: false }>;

const bad = (
  reason: WorkspaceExportFault,
  run: string | null = null,
  seq: number | null = null,
  logIntactTo: number | null = null,
): Bad => ({
  ok: false,
  reason,
  run,
  seq,
  logIntactTo,
});

const BATCH = 256;

type Run = { readonly id: string; readonly records: readonly RunRecord[]; readonly fork: (ForkEvent & { readonly parent: string }) | null };

const forkOf = (first: RunRecord | undefined): Run["fork"] => {
  const parsed = first && parseRecord(first);
  const fork = parsed ? forkIn(parsed.record) : undefined;

  return parsed && fork && fork.parent_seq > 0 ? { ...fork, parent: parsed.record.parent } : null;
};

const runsOf = (records: readonly RunRecord[]): readonly Run[] =>
  [...Map.groupBy(records, ({ run }) => run)].map(([id, own]) => ({ id, records: own, fork: forkOf(own[0]) }));

type Start = { readonly seq: number; readonly before: Before | null; readonly isOrphan: boolean };

const digestAt = (run: Run, seq: number, byRun: ReadonlyMap<string, Run>, depth = 0): string => {
  const own = run.records.find((record) => record.seq === seq);
  if (own) return own.digest;
  const { fork } = run;
  // Bounds work on hostile files.
  const parent = fork && seq < fork.parent_seq && depth < MAX_FORK_DEPTH ? byRun.get(fork.parent_run) : undefined;

  return parent ? digestAt(parent, seq, byRun, depth + 1) : "";
};

/** A fork's parent may be missing; the log then knows the start. */
const startOf = (run: Run, byRun: ReadonlyMap<string, Run>): Start => {
  const { fork } = run;
  if (!fork) return { seq: 0, before: null, isOrphan: false };
  const parent = byRun.get(fork.parent_run);
  const digest = parent ? digestAt(parent, fork.parent_seq - 1, byRun) : fork.parent;

  return { seq: fork.parent_seq, before: { run: fork.parent_run, digest }, isOrphan: !parent };
};

type Checked = { readonly found: FoundRecord[]; readonly head: string; readonly next: number };

const checkRun = async (
  workspace: string,
  run: Run,
  start: Start,
  trust: Trust,
  onChecked: (count: number) => void,
): Promise<Checked | Bad> => {
  const found: FoundRecord[] = [];
  let { before } = start;
  for (let from = 0; from < run.records.length; from += BATCH) {
    const signed: SignedRecord[] = [];
    let fault: Bad | null = null;
    for (const [index, stored] of run.records.slice(from, from + BATCH).entries()) {
      const seq = start.seq + from + index;
      const checked = checkForm({ workspace, seq, before }, stored);
      if (typeof checked === "string" || checked.record.run !== run.id) {
        fault = bad(typeof checked === "string" ? checked : "wrong_run", run.id, seq);
        break;
      }
      before = { run: run.id, digest: checked.digest };
      signed.push(checked);
    }
    const faults = await checkSignatures(signed, trust);
    const at = faults.findIndex((one) => one !== null);
    const reason = faults[at];
    if (reason) return bad(reason, run.id, start.seq + from + at);
    if (fault) return fault;
    found.push(...signed.map(({ record, digest }) => ({ seq: record.seq, digest, at: record.at })));
    onChecked(signed.length);
  }

  return { found, head: before?.digest ?? "", next: start.seq + run.records.length };
};

/** The workspace ledger's head is its last record. */
const checkHeads = (document: WorkspaceExport, checked: ReadonlyMap<string, Checked>): Bad | null => {
  const own = getWorkspaceLedgerId(document.workspace);
  const heads = new Map(document.heads.map((head) => [head.run, head]));
  for (const [run, { head, next }] of checked) {
    const named = heads.get(run);
    if (run === own && !named) continue;
    if (!named || named.version !== next || named.digest !== head) return bad("truncated", run, Math.min(next, named?.version ?? next));
  }
  const gone = document.heads.find(({ run, version }) => version > 0 && !checked.has(run));

  return gone && !document.leaves.some(({ run }) => run === gone.run) ? bad("truncated", gone.run, 0) : null;
};

const logFault = ({ checkpoint }: SignedCheckpoint, tree: MerkleTree, intactTo: number): Bad | null => {
  if (tree.count < checkpoint.count) return bad("log_shorter", null, null, tree.count);

  return tree.rootAt(checkpoint.count) === checkpoint.root ? null : bad("log_rewritten", null, null, intactTo);
};

const checkCheckpoints = async (document: WorkspaceExport, kept: readonly SignedCheckpoint[], tree: MerkleTree, trust: Trust) => {
  const signedFault = async (signed: SignedCheckpoint): Promise<Bad | null> => {
    const reason = await findCheckpointFault(signed, trust.keys);
    if (reason) return bad(reason);
    if (signed.checkpoint.origin !== document.workspace) return bad("checkpoint_signature");

    return isRetired(trust.retired, signed.kid, signed.checkpoint.at) ? bad("retired_key") : null;
  };
  let before: SignedCheckpoint | null = null;
  for (const { signed, proof } of document.checkpoints) {
    const fault: Bad | null = (await signedFault(signed)) ?? logFault(signed, tree, before?.checkpoint.count ?? 0);
    if (fault) return fault;
    if (before && !goesOn(before, signed, proof)) return bad("not_consistent", null, null, before.checkpoint.count);
    before = signed;
  }
  for (const signed of kept) {
    const intact = document.checkpoints.findLast((one) => one.signed.checkpoint.count <= signed.checkpoint.count);
    const fault = (await signedFault(signed)) ?? logFault(signed, tree, intact?.signed.checkpoint.count ?? 0);
    if (fault) return fault;
  }

  return null;
};

const longest = (all: readonly SignedCheckpoint[]): SignedCheckpoint | null =>
  all.reduce<SignedCheckpoint | null>((most, one) => (most && most.checkpoint.count >= one.checkpoint.count ? most : one), null);

type Options = {
  /** The document may omit some. */
  readonly handovers?: readonly SignedHandover[];
  readonly kept?: readonly SignedCheckpoint[];
  readonly onProgress?: (checked: number) => void;
};

/**
 * Verifies an export.
 * @param keys trusted: the document's own only prove consistency with itself
 */
export const verifyWorkspaceExport = async (
  document: WorkspaceExport,
  keys: PublicKeys,
  { kept = [], handovers = [], onProgress = () => undefined }: Options = {},
): Promise<WorkspaceExportVerification> => {
  const trust: Trust = { keys, retired: await collectRetired([...handovers, ...document.handovers], keys) };
  const runs = runsOf(document.records);
  const byRun = new Map(runs.map((run) => [run.id, run]));
  const checked = new Map<string, Checked>();
  let orphan: Bad | null = null;
  let count = 0;
  for (const run of runs) {
    const start = startOf(run, byRun);
    const result = await checkRun(document.workspace, run, start, trust, (more) => onProgress((count += more)));
    if ("ok" in result) return result;
    if (start.isOrphan) orphan ??= bad("fork_parent", run.id, start.seq);
    checked.set(run.id, result);
  }
  const fault = checkHeads(document, checked);
  if (fault) return fault;
  const newest = longest([...document.checkpoints.map(({ signed }) => signed), ...kept]);
  const tree = buildMerkleTree(document.leaves.map(hashOfLeaf));
  // The log first: it can name a record.
  const found = { leaves: document.leaves, runs: new Map([...checked].map(([run, { found: own }]) => [run, own])) };
  const log = newest && (await verifyWorkspace(newest, found, keys));
  if (log && !log.ok && log.run !== null) return bad(log.reason, log.run, log.seq);
  const wrong = (await checkCheckpoints(document, kept, tree, trust)) ?? orphan;
  if (wrong) return wrong;
  if (log && !log.ok) return bad(log.reason);

  return {
    ok: true,
    runs: runs.length,
    records: count,
    counted: log?.counted ?? 0,
    logged: log?.logged ?? document.leaves.length,
    pending: log?.pending ?? Math.max(0, count - document.leaves.length),
    checkpoints: document.checkpoints.length,
    newest: longest(document.checkpoints.map(({ signed }) => signed)),
    kept: kept.length,
  };
};
