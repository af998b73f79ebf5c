/** The version that a run executes. */
import { versionDigest } from "@/lib/engine/ledger/settings-digests";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { versionToExecute, type ExecutedVersion } from "@/server/store/graphs/versions";
import { VersionAltered } from "@/server/store/ledger/version-text";

/** Returns null when there is none, or when the text stored under its name is another one. */
const readStored = (workspaceId: string, hash: string): Promise<ExecutedVersion | null> =>
  versionToExecute(workspaceId, hash).catch((error: unknown) => {
    // A database that does not answer says nothing about the version.
    if (error instanceof VersionAltered) return null;
    throw error;
  });

/**
 * Returns a version that a record of the workspace's own ledger says was published; null when there is none.
 * @throws ProjectionMismatch for a row that nobody published so, AuthorityUnverified
 */
export const versionOf = (authority: AuthorityReader, workspaceId: string, hash: string): Promise<ExecutedVersion | null> =>
  authority.confirm(
    workspaceId,
    "versions",
    hash,
    () => readStored(workspaceId, hash),
    (version) => version && versionDigest(version),
  );
