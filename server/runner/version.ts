import { computeVersionDigest } from "@/lib/engine/ledger/settings-digests";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { findVersionToExecute, type ExecutedVersion } from "@/server/store/graphs/versions";
import { VersionAltered } from "@/server/store/ledger/version-text";

/** Null when missing or altered. */
const readStored = (workspaceId: string, hash: string): Promise<ExecutedVersion | null> =>
  findVersionToExecute(workspaceId, hash).catch((error: unknown) => {
    // An unavailable database says nothing about the version.
    if (error instanceof VersionAltered) return null;
    throw error;
  });

/** Finds a recorded version. @throws ProjectionMismatch for an unpublished row, AuthorityUnverified */
export const findVersion = (authority: AuthorityReader, workspaceId: string, hash: string): Promise<ExecutedVersion | null> =>
  authority.confirm(
    workspaceId,
    "versions",
    hash,
    () => readStored(workspaceId, hash),
    (version) => version && computeVersionDigest(version),
  );
