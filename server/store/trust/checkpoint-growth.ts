import { hashOfLeaf, type LogLeaf } from "@/lib/engine/ledger/checkpoint";
import type { CheckpointEntry } from "@/lib/engine/ledger/checkpoint-file";
import { buildGrowthProof } from "@/lib/engine/ledger/merkle-growth";
import { computeRoot } from "@/lib/engine/ledger/merkle";
import { getDatabase, runTransaction } from "@/server/db/client";
import { listLeaves, readCheckpoint, type LoggedCheckpoint } from "@/server/store/workspaces/log";

/** The checkpoint of this count, or null. */
export const findCheckpointAt = async (workspaceId: string, count: number): Promise<LoggedCheckpoint | null> => {
  const row = await getDatabase().checkpoint.findUnique({ where: { workspaceId_count: { workspaceId, count } } });

  return row && readCheckpoint(row);
};

/** Later checkpoints, shortest first. */
export const listCheckpointsAfter = async (workspaceId: string, count: number, limit: number): Promise<readonly LoggedCheckpoint[]> => {
  const rows = await getDatabase().checkpoint.findMany({
    where: { workspaceId, count: { gt: count } },
    orderBy: { count: "asc" },
    take: limit,
  });

  return rows.map(readCheckpoint);
};

/** Leaves in a half-open range. */
export const listLeavesBetween = (workspaceId: string, from: number, to: number): Promise<readonly LogLeaf[]> =>
  listLeaves(workspaceId, from, to);

/** The newer checkpoint with a consistency proof. @param older null: none @returns null when the database's differs */
export const buildEntrySince = async (older: LoggedCheckpoint | null, { signed }: LoggedCheckpoint): Promise<CheckpointEntry | null> => {
  if (!older) return { signed, since: null };
  const { origin, count, root } = older.signed.checkpoint;
  if (count === 0) return { signed, since: { signed: older.signed, proof: [] } };
  if (computeRoot(older.frontier) !== root) return null;
  const added = await listLeavesBetween(origin, count, signed.checkpoint.count);

  return { signed, since: { signed: older.signed, proof: buildGrowthProof(older.frontier, added.map(hashOfLeaf)) } };
};

/** Serialises checkpoint exports. */
export const inExportTurn = <T>(workspaceId: string, work: () => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended('countersign.export ' || $1, 0))", [workspaceId]);

    return work();
  });
