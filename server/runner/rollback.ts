/** Whether what the database holds of a ledger is older than, or another history than, what is known of it from elsewhere. */
import type { HexDigest } from "@/lib/hash";
import type { RunnerDeps } from "@/server/runner/deps";
import { loggedEnd } from "@/server/store/workspace-log";

type Ledger = {
  readonly run: string;
  /** Digests of all records in order, those of the runs that it goes on from included. */
  readonly digests: readonly HexDigest[];
};

type Known = { readonly version: number; readonly digest: HexDigest };

/** The first record that is missing, or that is another one than it was; null: the ledger goes on from what is known. */
const firstMissing = ({ digests }: Ledger, known: Known | null): number | null => {
  if (!known || known.version === 0) return null;
  if (digests.length < known.version) return digests.length;

  return digests[known.version - 1] === known.digest ? null : known.version - 1;
};

/** The record at which the stored ledger was rolled back, by this runner's journal or by the workspace's log; null: it was not. */
export const rolledBackAt = async ({ journal }: Pick<RunnerDeps, "journal">, ledger: Ledger): Promise<number | null> =>
  firstMissing(ledger, await journal.headOf(ledger.run)) ?? firstMissing(ledger, await loggedEnd(ledger.run));
