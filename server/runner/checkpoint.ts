import {
  computeCheckpointDigest,
  findCheckpointFault,
  hashOfLeaf,
  type LogLeaf,
  type SignedCheckpoint,
} from "@/lib/engine/ledger/checkpoint";
import type { Trust } from "@/lib/engine/verify/check-record";
import { collectRetired } from "@/lib/engine/ledger/handover";
import { EMPTY_FRONTIER, extend, computeRoot, type Frontier } from "@/lib/engine/ledger/merkle";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { verifyRecord } from "@/lib/engine/ledger/stored-record";
import { log } from "@/server/log";
import { countCheckpointFailed, countRollback } from "@/server/metrics";
import type { RunnerDeps } from "@/server/runner/deps";
import type { SeenCheckpoint } from "@/server/security/journal/entry";
import { listHandovers } from "@/server/security/trust-anchor";
import { extendLog, listWorkspacesToCheck, type LoggedCheckpoint, type OpenLog, type RunRecord } from "@/server/store/workspaces/log";

const EVERY_MS = 60_000;
/** Records in memory at once. */
const CHUNK = 2_000;

/** The log contradicts a checkpoint and is not signed further. */
export class LogBroken extends Error {
  readonly code: "log_broken" | "checkpoint_rolled_back";

  constructor(workspaceId: string, code: LogBroken["code"]) {
    super(
      code === "log_broken"
        ? `the log of workspace ${workspaceId} is not what its newest checkpoint says`
        : `the log of workspace ${workspaceId} does not extend a checkpoint that was signed before: the database was rolled back (${code})`,
    );
    this.name = "LogBroken";
    this.code = code;
  }
}

const genuine = async (workspaceId: string, stored: RunRecord, { keys, retired }: Trust): Promise<LogLeaf | null> => {
  const signed = await verifyRecord(stored, keys, retired);
  if (!signed || signed.record.workspace !== workspaceId || signed.record.run !== stored.run) return null;

  return { run: stored.run, seq: stored.seq, digest: signed.digest };
};

/** Drops a run's records from its first that is not genuine. */
const sift = async (workspaceId: string, records: readonly RunRecord[], trust: Trust) => {
  const leaves: LogLeaf[] = [];
  const bad = new Set<string>();
  for (const stored of records) {
    if (bad.has(stored.run)) continue;
    const leaf = await genuine(workspaceId, stored, trust);
    if (leaf) leaves.push(leaf);
    else {
      bad.add(stored.run);
      log().error({ run: stored.run, seq: stored.seq }, "an unsigned record is not logged");
    }
  }

  return { leaves, bad };
};

const startOf = async (workspaceId: string, newest: LoggedCheckpoint | null, keys: PublicKeys): Promise<Frontier> => {
  if (!newest) return EMPTY_FRONTIER;
  const { signed, frontier } = newest;
  const isIntact = computeRoot(frontier) === signed.checkpoint.root && (await findCheckpointFault(signed, keys)) === null;
  if (!isIntact) throw new LogBroken(workspaceId, "log_broken");

  return frontier;
};

const bringUpToDate = async (open: OpenLog, workspaceId: string, start: Frontier, trust: Trust): Promise<Frontier> => {
  const except = new Set<string>();
  let frontier = start;
  for (;;) {
    const records = await open.unlogged([...except], CHUNK);
    const { leaves, bad } = await sift(workspaceId, records, trust);
    for (const run of bad) except.add(run);
    if (leaves.length > 0) await open.append(frontier.count, leaves);
    frontier = extend(frontier, leaves.map(hashOfLeaf));
    // Records keep coming, and a long transaction stops all clean-up.
    if (records.length < CHUNK) return frontier;
  }
};

const extendsSeen = async (open: OpenLog, standing: Frontier, seen: SeenCheckpoint | null): Promise<boolean> => {
  if (!seen) return true;
  let frontier: Frontier = { count: seen.count, peaks: seen.peaks };
  while (frontier.count < standing.count) {
    const leaves = await open.leaves(frontier.count, Math.min(CHUNK, standing.count - frontier.count));
    if (leaves.length === 0) return false;
    frontier = extend(frontier, leaves.map(hashOfLeaf));
  }

  return frontier.count === standing.count && computeRoot(frontier) === computeRoot(standing);
};

type CheckpointDeps = Pick<RunnerDeps, "clock" | "signer" | "publicKeys" | "journal">;

type Taken = { readonly signed: SignedCheckpoint; readonly frontier: Frontier };

const take = async ({ clock, signer, publicKeys, journal }: CheckpointDeps, workspaceId: string): Promise<Taken> => {
  const keys = await publicKeys();
  const trust = { keys, retired: await collectRetired(await listHandovers(), keys) };

  return extendLog(workspaceId, async (open) => {
    const newest = await open.newest();
    const start = await startOf(workspaceId, newest, keys);
    if (!(await extendsSeen(open, start, await journal.checkpointOf(workspaceId)))) {
      throw new LogBroken(workspaceId, "checkpoint_rolled_back");
    }
    // Before reading records, so that everything up to it is counted.
    const at = clock.now();
    const frontier = await bringUpToDate(open, workspaceId, start, trust);
    if (newest && frontier.count === start.count) return { signed: newest.signed, frontier };
    const checkpoint = { origin: workspaceId, count: frontier.count, root: computeRoot(frontier), at };
    const signed = { checkpoint, kid: signer.kid, signature: signer.signDigest(computeCheckpointDigest(checkpoint)) };
    await open.keep({ signed, frontier });

    return { signed, frontier };
  });
};

/** Logs and signs new records, or returns the current checkpoint. @throws LogBroken on tampering or rollback */
export const takeCheckpoint = async (deps: CheckpointDeps, workspaceId: string): Promise<SignedCheckpoint> => {
  const { signed, frontier } = await take(deps, workspaceId).catch((error: unknown) => {
    if (error instanceof LogBroken && error.code === "checkpoint_rolled_back") countRollback("checkpoint");
    throw error;
  });
  // After storing, so that no crash leaves a checkpoint that the database never had.
  await deps.journal.noteCheckpoint({
    origin: workspaceId,
    count: frontier.count,
    root: computeRoot(frontier),
    peaks: [...frontier.peaks],
  });

  return signed;
};

const takeAll = async (deps: CheckpointDeps): Promise<void> => {
  // Another runner may have taken one meanwhile.
  for (const workspaceId of await listWorkspacesToCheck(deps.clock.now() - EVERY_MS / 2)) {
    await takeCheckpoint(deps, workspaceId).catch((error: unknown) => {
      countCheckpointFailed();
      log().error({ workspace: workspaceId, error: String(error) }, "no checkpoint was taken");
    });
  }
};

export const startCheckpoints = (deps: CheckpointDeps): { readonly close: () => Promise<void> } => {
  let work: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    work = work
      .then(() => takeAll(deps))
      .catch((error: unknown) => log().warn({ error: String(error) }, "looking for workspaces to check failed"));
  }, EVERY_MS);

  return {
    close: async () => {
      clearInterval(timer);
      await work;
    },
  };
};
