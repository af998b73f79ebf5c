import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { GENESIS_PARENT } from "@/lib/engine/state";
import { verifyLedger, type BadReason, type LedgerExport } from "@/lib/engine/verify/verify";
import { toFoundRecord, verifyWorkspace, type WorkspaceVerification } from "@/lib/engine/verify/verify-workspace";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { openLedgerAt } from "@/server/runner/load";
import type { Vault } from "@/server/security/vault";
import { runHead } from "@/server/store/ledger/run-heads";
import { readHandovers } from "@/server/security/trust-anchor";
import { logLeaves, ownRecords, listRecordedRuns } from "@/server/store/workspaces/log";

export type Audit = WorkspaceVerification | { readonly ok: false; readonly reason: BadReason; readonly run: string; readonly seq: number };

/** The workspace's ledger has no separate head; the log reveals truncation. */
const ownLedger = async (workspace: string, run: string): Promise<LedgerExport> => {
  const records = (await ownRecords(workspace, run)).map(({ run: _run, ...record }) => record);

  return {
    workspace,
    run,
    records,
    cells: [],
    head: { version: records.length, digest: records.at(-1)?.digest ?? GENESIS_PARENT },
    handovers: await readHandovers(),
  };
};

const ledgerOf = async (vault: Vault, workspaceId: string, runId: string): Promise<LedgerExport | null> => {
  if (runId === getWorkspaceLedgerId(workspaceId)) return ownLedger(workspaceId, runId);
  const head = await runHead(workspaceId, runId);
  if (!head) return null;

  return openLedgerAt(vault, { workspaceId, runId, version: head.version, digest: head.head });
};

/** @returns the first run that fails */
const badRun = async (vault: Vault, workspaceId: string, runs: readonly string[], keys: PublicKeys): Promise<Audit | null> => {
  for (const run of runs) {
    const ledger = await ledgerOf(vault, workspaceId, run);
    const verified = ledger && (await verifyLedger(ledger, keys));
    if (!verified) return { ok: false, reason: "truncated", run, seq: 0 };
    if (!verified.ok) return { ok: false, reason: verified.reason, run, seq: verified.seq };
  }

  return null;
};

/** Audits a workspace against an external checkpoint. @param keys trusted ones, not the database's own */
export const auditWorkspace = async (vault: Vault, signed: SignedCheckpoint, keys: PublicKeys): Promise<Audit> => {
  const { origin } = signed.checkpoint;
  // Log first: everything logged by then is among the records read later.
  const leaves = await logLeaves(origin);
  const runs = await listRecordedRuns(origin);
  const found = new Map<string, ReturnType<typeof toFoundRecord>[]>();
  for (const run of runs) found.set(run, (await ownRecords(origin, run)).map(toFoundRecord));
  const verified = await verifyWorkspace(signed, { leaves, runs: found }, keys);

  return verified.ok ? ((await badRun(vault, origin, runs, keys)) ?? verified) : verified;
};
