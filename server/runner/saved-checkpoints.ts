import { findCheckpointFault, hashOfLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { EMPTY_FRONTIER, extend, computeRoot, type Frontier } from "@/lib/engine/ledger/merkle";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";
import { readKeptCheckpoints } from "@/server/notify/checkpoint-export";
import type { RunnerDeps } from "@/server/runner/deps";
import type { SeenCheckpoint } from "@/server/security/journal/entry";
import { isGone, JournalRefused } from "@/server/security/journal/files";
import { listLeavesBetween } from "@/server/store/trust/checkpoint-growth";

/** Leaves in memory at once. */
const CHUNK = 10_000;

type Deps = Pick<RunnerDeps, "journal" | "publicKeys">;

/** Teaches the journal each ledger's head. @returns null when the log differs */
const follow = async (
  journal: Deps["journal"],
  { checkpoint: { origin, count, root } }: SignedCheckpoint,
  seen: SeenCheckpoint | null,
): Promise<Frontier | null> => {
  let frontier: Frontier = seen ? { count: seen.count, peaks: seen.peaks } : EMPTY_FRONTIER;
  const heads = new Map<string, Parameters<typeof journal.noteHead>[1]>();
  while (frontier.count < count) {
    const leaves = await listLeavesBetween(origin, frontier.count, Math.min(frontier.count + CHUNK, count));
    if (leaves.length === 0) return null;
    frontier = extend(frontier, leaves.map(hashOfLeaf));
    for (const { run, seq, digest } of leaves) {
      if ((heads.get(run)?.version ?? 0) <= seq) heads.set(run, { version: seq + 1, digest });
    }
  }
  if (frontier.count !== count || computeRoot(frontier) !== root) return null;
  for (const [run, head] of heads) journal.noteHead(run, head);

  return frontier;
};

const learn = async ({ journal, publicKeys }: Deps, kept: SignedCheckpoint): Promise<void> => {
  const { origin, count, root } = kept.checkpoint;
  if ((await findCheckpointFault(kept, await publicKeys())) !== null) {
    throw new JournalRefused("kept_unreadable", `the kept checkpoint of workspace ${origin} is not signed by a key of the trust anchor`);
  }
  const seen = await journal.checkpointOf(origin);
  if (seen && seen.count > count) return;
  const frontier = await follow(journal, kept, seen);
  if (frontier) return journal.noteCheckpoint({ origin, count, root, peaks: [...frontier.peaks] });
  countRollback("checkpoint");
  if (!journal.isRestored) {
    throw new JournalRefused(
      "kept_ahead",
      `the database does not hold the ${count} records of workspace ${origin} that were there when a checkpoint was kept: put a newer database in place, or after a restore start with --restored`,
    );
  }
  log().error({ workspace: origin, count }, "the database was restored to before a checkpoint that was kept");
};

/**
 * Teaches the journal from each workspace's newest kept checkpoint; a new machine knows nothing else. @param folder null: none are kept
 * @throws JournalRefused when one is unreadable, or the database is behind without a declared restore
 */
export const learnKeptCheckpoints = async (folder: string | null, deps: Deps): Promise<void> => {
  if (folder === null) return;
  const found = await readKeptCheckpoints(folder).catch((error: unknown) => {
    // A missing mount stops no runner with a non-empty journal.
    if (!deps.journal.isEmpty && isGone(error)) return [];
    throw new JournalRefused("kept_unreadable", `the checkpoints in ${folder} cannot be read (${String(error)})`);
  });
  for (const kept of found) await learn(deps, kept);
};
