/** Detects a database that contradicts external knowledge of it. */
import type { HexDigest } from "@/lib/hash";
import type { RunnerDeps } from "@/server/runner/deps";
import { getLoggedEnd } from "@/server/store/workspaces/log";

type KnownHead = { readonly version: number; readonly digest: HexDigest };

export type KnownHistory = {
  /** Heads that the ledger must contain, by the journal and the workspace's log. */
  readonly heads: readonly KnownHead[];
  /** The database's newest checkpoint is older than a known one. */
  readonly isLogOlder: boolean;
};

/** Returns external knowledge of a run. Ask before reading its ledger, which may only grow meanwhile. */
export const getKnownHistory = async (
  { journal }: Pick<RunnerDeps, "journal">,
  workspaceId: string,
  runId: string,
): Promise<KnownHistory> => {
  const [head, seen] = await Promise.all([journal.headOf(runId), journal.checkpointOf(workspaceId)]);
  const { end, checkpoint } = await getLoggedEnd(workspaceId, runId);
  const isLogOlder =
    seen !== null && (!checkpoint || checkpoint.count < seen.count || (checkpoint.count === seen.count && checkpoint.root !== seen.root));

  return { heads: [head, end].filter((known) => known !== null), isLogOlder };
};

export type Rollback = {
  readonly reason: "head_rolled_back" | "checkpoint_rolled_back";
  /** The first record that differs. */ readonly seq: number;
};

/** Finds a rollback, or null. @param digests of all records in order, ancestors' included */
export const findRollback = ({ heads, isLogOlder }: KnownHistory, digests: readonly HexDigest[]): Rollback | null => {
  for (const { version, digest } of heads) {
    if (digests.length < version) return { reason: "head_rolled_back", seq: digests.length };
    if (version > 0 && digests[version - 1] !== digest) return { reason: "head_rolled_back", seq: version - 1 };
  }

  return isLogOlder ? { reason: "checkpoint_rolled_back", seq: digests.length } : null;
};
