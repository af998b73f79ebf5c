/** A run's ledger in pages, each consistent with the head it comes with. */
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import type { StoredCellRow, StoredRecord } from "@/server/store/ledger";
import { inWorkspace } from "@/server/db/client";

export type LedgerPage = {
  readonly head: { readonly version: number; readonly digest: string };
  readonly status: RunStatus;
  readonly records: readonly StoredRecord[];
  readonly cells: readonly StoredCellRow[];
};

const bytes = (value: Uint8Array) => Uint8Array.from(value);

/** At most `limit` records after `afterSeq`, or null when there is no such run. */
export const ledgerPage = (workspaceId: string, runId: string, afterSeq: number, limit: number): Promise<LedgerPage | null> =>
  inWorkspace(workspaceId, async (tx) => {
    const run = await tx.run.findFirst({ where: { workspaceId, id: runId }, select: { version: true, head: true, status: true } });
    if (!run) return null;
    // The head is read first and bounds the rest: records that are committed meanwhile belong to the next page.
    const range = { gt: afterSeq, lt: Math.min(run.version, afterSeq + 1 + limit) };
    const records = await tx.ledgerRecord.findMany({
      where: { workspaceId, runId, seq: range },
      orderBy: { seq: "asc" },
      select: { seq: true, body: true, digest: true, kid: true, signature: true },
    });
    const cells = await tx.cell.findMany({
      where: { workspaceId, runId, seq: range },
      orderBy: [{ seq: "asc" }, { index: "asc" }],
      select: { seq: true, index: true, path: true, label: true, commitment: true, sealed: true, wrappedKey: true },
    });

    return {
      head: { version: run.version, digest: run.head },
      status: runStatusSchema.parse(run.status),
      records,
      cells: cells.map((cell) => ({ ...cell, sealed: bytes(cell.sealed), wrappedKey: bytes(cell.wrappedKey) })),
    };
  });
