import type { HexDigest } from "@/lib/hash";
import { scopeToWorkspace } from "@/server/db/client";

/** Keeps unknown tokens out of the ledger; decides nothing. */
export const hasHandedOut = async (
  { workspaceId, runId }: { readonly workspaceId: string; readonly runId: string },
  hash: HexDigest,
): Promise<boolean> => {
  const where = { workspaceId, runId, body: { contains: `"token_hash":"${hash}"` } };

  return (await scopeToWorkspace(workspaceId).ledgerRecord.findFirst({ where, select: { seq: true } })) !== null;
};
