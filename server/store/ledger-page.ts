/** A run's ledger in pages, each consistent with the head it comes with. */
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import type { StoredRecord } from "@/lib/engine/stored-record";
import type { StoredCellRow } from "@/server/store/ledger";
import { inWorkspace, type Transaction } from "@/server/db/client";

export type LedgerPage = {
  readonly head: { readonly version: number; readonly digest: string };
  readonly status: RunStatus;
  readonly records: readonly StoredRecord[];
  readonly cells: readonly StoredCellRow[];
};

type Range = { readonly runId: string; readonly seq: { readonly gte: number; readonly lt: number } };

/** Deeper than this nobody forks. */
const MAX_DEPTH = 32;

/** Which run has which records of this ledger: its own, and before them those of the runs that it goes on from. */
const rangesOf = async (tx: Transaction, workspaceId: string, runId: string, version: number): Promise<readonly Range[]> => {
  const ranges: Range[] = [];
  let at: string | null = runId;
  let lt = version;
  while (at !== null && lt > 0 && ranges.length <= MAX_DEPTH) {
    const run: { parentRun: string | null; forkSeq: number | null } | null = await tx.run.findFirst({
      where: { workspaceId, id: at },
      select: { parentRun: true, forkSeq: true },
    });
    const gte = run?.forkSeq ?? 0;
    ranges.push({ runId: at, seq: { gte, lt } });
    lt = Math.min(lt, gte);
    at = run?.parentRun ?? null;
  }

  return ranges;
};

const bytes = (value: Uint8Array) => Uint8Array.from(value);

/** At most `limit` records after `afterSeq`, or null when there is no such run. */
export const ledgerPage = (workspaceId: string, runId: string, afterSeq: number, limit: number): Promise<LedgerPage | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const run = await tx.run.findFirst({ where: { workspaceId, id: runId }, select: { version: true, head: true, status: true } });
    if (!run) return null;
    // The head is read first and bounds the rest: records that are committed meanwhile belong to the next page.
    const page = { gt: afterSeq, lt: Math.min(run.version, afterSeq + 1 + limit) };
    const OR = [...(await rangesOf(tx, workspaceId, runId, run.version))];
    const records = await tx.ledgerRecord.findMany({
      where: { workspaceId, seq: page, OR },
      orderBy: { seq: "asc" },
      select: { seq: true, body: true, digest: true, kid: true, signature: true },
    });
    const cells = await tx.cell.findMany({
      where: { workspaceId, seq: page, OR },
      orderBy: [{ seq: "asc" }, { index: "asc" }],
      select: { runId: true, seq: true, index: true, path: true, label: true, commitment: true, sealed: true, wrappedKey: true },
    });

    return {
      head: { version: run.version, digest: run.head },
      status: runStatusSchema.parse(run.status),
      records,
      cells: cells.map((cell) => ({ ...cell, sealed: bytes(cell.sealed), wrappedKey: bytes(cell.wrappedKey) })),
    };
  });
