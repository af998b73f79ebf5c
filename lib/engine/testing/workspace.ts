import { hexToBytes } from "@noble/hashes/utils.js";
import { computeCheckpointDigest, hashOfLeaf, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { buildMerkleTree } from "@/lib/engine/ledger/merkle-tree";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { LedgerExport } from "@/lib/engine/verify/verify";
import type { LoggedCheckpoint, WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { forkOf, wholeOf } from "@/lib/engine/testing/fork";
import { chainOf, exportOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, decideAs, intent, result, REVIEWER, settle, update, user, uuid } from "@/lib/engine/testing/run";

const FORK_SEQ = 5;
const HOUR_MS = 3_600_000;

export const RUN = uuid(2);
export const OTHER_RUN = uuid(3);

export type TestWorkspace = {
  readonly key: TestKey;
  readonly ledger: LedgerExport;
  readonly document: WorkspaceExport;
  readonly kept: SignedCheckpoint;
};

const workedRun = () => {
  const run = atGate();
  run.work(result(update("nowhere", 1)));
  decideAs(run, user(REVIEWER));
  run.work(intent("crm", "update", { plan: "team" }));
  settle(run, "done");
  run.work(result(update("result", "done")));

  return run;
};

export const signedCheckpoint = async (
  key: TestKey,
  origin: string,
  leaves: readonly LogLeaf[],
  count: number,
  at: number,
): Promise<SignedCheckpoint> => {
  const checkpoint = { origin, count, root: buildMerkleTree(leaves.map(hashOfLeaf)).rootAt(count), at };

  return { checkpoint, kid: key.kid, signature: await key.sign(hexToBytes(computeCheckpointDigest(checkpoint))) };
};

const checkpointsOf = async (key: TestKey, origin: string, leaves: readonly LogLeaf[], at: number): Promise<LoggedCheckpoint[]> => {
  const tree = buildMerkleTree(leaves.map(hashOfLeaf));
  const third = Math.floor(leaves.length / 3);
  const counts = [third, 2 * third, leaves.length];

  return Promise.all(
    counts.map(async (count, index) => ({
      signed: await signedCheckpoint(key, origin, leaves, count, at + index * HOUR_MS),
      proof: index === 0 ? [] : tree.consistency(counts[index - 1] ?? 0, count),
    })),
  );
};

export const testWorkspace = async (): Promise<TestWorkspace> => {
  const key = await newKey("k1");
  const run = workedRun();
  const fork = forkOf(run, FORK_SEQ, { type: "none" });
  fork.work(result(update("request", { plan: "team" })));
  const chained = (records: readonly SignedRecord[]) =>
    chainOf(
      records.map(({ record }) => record),
      key,
    );
  const chain = await chained(run.records());
  const other = await chained(run.records().map((one) => ({ ...one, record: { ...one.record, run: OTHER_RUN } })));
  const forked = (await chained(wholeOf(run, fork).records())).slice(FORK_SEQ);
  const records = [chain, other, forked].flatMap((own) => own.map((one) => ({ run: one.record.run, ...storedOf(one) })));
  const heads = [chain, other, forked].flatMap((own) => {
    const last = own.at(-1);

    return last ? [{ run: last.record.run, version: last.record.seq + 1, digest: last.digest }] : [];
  });
  const { workspace } = run.state();
  const leaves = records.map(({ run: id, seq, digest }) => ({ run: id, seq, digest })).toSorted((a, b) => a.seq - b.seq);
  const checkpoints = await checkpointsOf(key, workspace, leaves, run.now() + HOUR_MS);
  const kept = checkpoints.at(-1)?.signed;
  if (!kept) throw new Error("there is no checkpoint");

  return {
    key,
    ledger: exportOf(run, chain),
    document: { workspace, public_keys: getKeys(key), handovers: [], heads, records, leaves, checkpoints },
    kept,
  };
};
