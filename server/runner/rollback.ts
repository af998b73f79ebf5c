/** Whether what the database holds is older than, or another history than, what is known of it from elsewhere. */
import type { HexDigest } from "@/lib/hash";
import type { RunnerDeps } from "@/server/runner/deps";
import { loggedEnd } from "@/server/store/workspaces/log";

type KnownHead = { readonly version: number; readonly digest: HexDigest };

export type KnownHistory = {
  /** Heads that the ledger has to contain: by this runner's journal, and by the log of the workspace. */
  readonly heads: readonly KnownHead[];
  /** The newest checkpoint in the database is older than one that this runner signed or accepted. */
  readonly isLogOlder: boolean;
};

/** What is known of a run. To be asked before its ledger is read: what is stored meanwhile is in the ledger then. */
export const knownHistory = async ({ journal }: Pick<RunnerDeps, "journal">, workspaceId: string, runId: string): Promise<KnownHistory> => {
  const head = await journal.headOf(runId);
  const seen = await journal.checkpointOf(workspaceId);
  const { end, checkpoint } = await loggedEnd(workspaceId, runId);
  const isLogOlder =
    seen !== null && (!checkpoint || checkpoint.count < seen.count || (checkpoint.count === seen.count && checkpoint.root !== seen.root));

  return { heads: [head, end].filter((known) => known !== null), isLogOlder };
};

export type Rollback = {
  readonly reason: "head_rolled_back" | "checkpoint_rolled_back";
  /** The first record that is not what it was. */ readonly seq: number;
};

/** @param digests of all records in order, those of the runs that it goes on from included @returns null when nothing was set back */
export const rollbackOf = ({ heads, isLogOlder }: KnownHistory, digests: readonly HexDigest[]): Rollback | null => {
  for (const { version, digest } of heads) {
    if (digests.length < version) return { reason: "head_rolled_back", seq: digests.length };
    if (version > 0 && digests[version - 1] !== digest) return { reason: "head_rolled_back", seq: version - 1 };
  }

  return isLogOlder ? { reason: "checkpoint_rolled_back", seq: digests.length } : null;
};
