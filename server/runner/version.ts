/** The version that a run executes. */
import { versionToExecute, type ExecutedVersion } from "@/server/store/graph-versions";
import { VersionAltered } from "@/server/store/version-text";

/** @returns null: there is none, or what is stored under its name is another one */
export const versionOf = (workspaceId: string, hash: string): Promise<ExecutedVersion | null> =>
  versionToExecute(workspaceId, hash).catch((error: unknown) => {
    // A database that does not answer says nothing about the version.
    if (error instanceof VersionAltered) return null;
    throw error;
  });
