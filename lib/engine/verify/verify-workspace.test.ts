import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "@/lib/hash";
import { computeCheckpointDigest, hashOfLeaf, isCovered, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { EMPTY_FRONTIER, extend, buildInclusionProof, computeRoot } from "@/lib/engine/ledger/merkle";
import { chainOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, uuid } from "@/lib/engine/testing/run";
import { toFoundRecord, verifyWorkspace, type WorkspaceFault, type WorkspaceFound } from "@/lib/engine/verify/verify-workspace";

const WORKSPACE = uuid(1);
const [RUN, OTHER, FORGED] = [uuid(2), uuid(3), uuid(4)];
const AT = 1_000_000_000;
const HOUR_MS = 3_600_000;

const leaf = (run: string, seq: number): LogLeaf => ({ run, seq, digest: digestOf("seed", { run, seq }) });
const record = ({ seq, digest }: LogLeaf, at = AT - HOUR_MS) => ({ seq, digest, at });

const LEAVES = [leaf(RUN, 0), leaf(OTHER, 0), leaf(RUN, 1), leaf(RUN, 2), leaf(OTHER, 1)];
const RECORDS = { run: [leaf(RUN, 0), leaf(RUN, 1), leaf(RUN, 2)], other: [leaf(OTHER, 0), leaf(OTHER, 1)] };
const FOUND: WorkspaceFound = {
  leaves: LEAVES,
  runs: new Map([
    [RUN, RECORDS.run.map((one) => record(one))],
    [OTHER, RECORDS.other.map((one) => record(one))],
  ]),
};

let key: TestKey;
let stranger: TestKey;
let signed: SignedCheckpoint;

const checkpointOf = async (leaves: readonly LogLeaf[], by: TestKey, kid = by.kid): Promise<SignedCheckpoint> => {
  const checkpoint = {
    origin: WORKSPACE,
    count: leaves.length,
    root: computeRoot(extend(EMPTY_FRONTIER, leaves.map(hashOfLeaf))),
    at: AT,
  };

  return { checkpoint, kid, signature: await by.sign(hexToBytes(computeCheckpointDigest(checkpoint))) };
};

const withRun = (run: string, records: readonly { seq: number; digest: string | null; at: number }[]): WorkspaceFound => ({
  ...FOUND,
  runs: new Map([...FOUND.runs, [run, records]]),
});

beforeAll(async () => {
  [key, stranger] = [await newKey("k1"), await newKey("k2")];
  signed = await checkpointOf(LEAVES.slice(0, 4), key);
});

it("has a digest only for a record whose text is canonical", async () => {
  const [signedRecord] = await chainOf(
    atGate()
      .records()
      .map((one) => one.record),
    key,
  );
  if (!signedRecord) throw new Error("no record");
  const stored = storedOf(signedRecord);
  expect(toFoundRecord(stored)).toEqual({ seq: 0, digest: stored.digest, at: signedRecord.record.at });
  for (const body of [stored.body.replace(":", ": "), "{}", "no JSON"])
    expect(toFoundRecord({ ...stored, body })).toEqual({ seq: 0, digest: null, at: 0 });
});

describe("a workspace", () => {
  it("verifies with all its checkpoint covers, and more", async () => {
    const settled = withRun(OTHER, [record(leaf(OTHER, 0)), record(leaf(OTHER, 1), AT)]);

    expect(await verifyWorkspace(signed, settled, getKeys(key))).toEqual({ ok: true, counted: 4, logged: 1, pending: 0 });
    const pending = withRun(OTHER, [record(leaf(OTHER, 0)), record(leaf(OTHER, 1), AT), record(leaf(OTHER, 2), AT)]);
    expect(await verifyWorkspace(signed, pending, getKeys(key))).toEqual({ ok: true, counted: 4, logged: 1, pending: 1 });
  });

  const BAD: Record<WorkspaceFault, () => Promise<[SignedCheckpoint, WorkspaceFound, string | null, number | null]>> = {
    checkpoint_key: async () => [await checkpointOf(LEAVES, stranger), FOUND, null, null],
    checkpoint_signature: async () => [await checkpointOf(LEAVES, stranger, key.kid), FOUND, null, null],
    log_shorter: async () => [await checkpointOf(LEAVES, key), { ...FOUND, leaves: LEAVES.slice(0, 4) }, null, null],
    log_rewritten: async () => [signed, { ...FOUND, leaves: LEAVES.with(1, leaf(OTHER, 7)) }, null, null],
    run_missing: async () => [signed, { ...FOUND, runs: new Map([...FOUND.runs].filter(([run]) => run !== OTHER)) }, OTHER, null],
    record_missing: async () => [
      signed,
      withRun(
        RUN,
        RECORDS.run.slice(0, 2).map((one) => record(one)),
      ),
      RUN,
      2,
    ],
    record_changed: async () => [
      signed,
      withRun(
        RUN,
        RECORDS.run.map((one) => record({ ...one, digest: one.seq === 1 ? LEAVES[0]!.digest : one.digest })),
      ),
      RUN,
      1,
    ],
    record_unlogged: async () => [await checkpointOf(LEAVES, key), withRun(FORGED, [record(leaf(FORGED, 0))]), FORGED, 0],
  };

  it.each(Object.keys(BAD) as WorkspaceFault[])("with %s fails, naming run and record", async (reason) => {
    const [checkpoint, found, run, seq] = await BAD[reason]();

    expect(await verifyWorkspace(checkpoint, found, getKeys(key))).toEqual({ ok: false, reason, run, seq });
  });

  it("names bad records after the checkpoint too", async () => {
    const gone = withRun(OTHER, [record(leaf(OTHER, 0))]);

    expect(await verifyWorkspace(signed, gone, getKeys(key))).toEqual({ ok: false, reason: "record_missing", run: OTHER, seq: 1 });
  });

  it("fails with an old record logged only after the checkpoint", async () => {
    const late = withRun(FORGED, [record(leaf(FORGED, 0))]);

    expect(await verifyWorkspace(signed, { ...late, leaves: [...LEAVES.slice(0, 4), leaf(FORGED, 0)] }, getKeys(key))).toMatchObject({
      reason: "record_unlogged",
    });
  });

  it.each(["origin", "count", "root", "at"] as const)("rejects a checkpoint with a changed %s", async (field) => {
    const { checkpoint } = signed;
    const changed = { origin: OTHER, count: 3, root: digestOf("seed", {}), at: AT + 1 };
    const forged = { ...signed, checkpoint: { ...checkpoint, [field]: changed[field] } };

    expect(await verifyWorkspace(forged, FOUND, getKeys(key))).toMatchObject({ reason: "checkpoint_signature" });
  });
});

describe("a run's last record", () => {
  const hashes = LEAVES.slice(0, 4).map(hashOfLeaf);
  const coverage = (index: number) => ({ signed, index, proof: buildInclusionProof(hashes, index) });

  it("is covered by a checkpoint that counts it", async () => {
    expect(await isCovered(coverage(3), WORKSPACE, leaf(RUN, 2), getKeys(key))).toBe(true);
  });

  it("is not covered as another record, in another workspace, or under another key", async () => {
    expect(await isCovered(coverage(3), WORKSPACE, leaf(RUN, 1), getKeys(key))).toBe(false);
    expect(await isCovered(coverage(3), WORKSPACE, { ...leaf(RUN, 2), run: OTHER }, getKeys(key))).toBe(false);
    expect(await isCovered(coverage(2), WORKSPACE, leaf(RUN, 2), getKeys(key))).toBe(false);
    expect(await isCovered(coverage(3), OTHER, leaf(RUN, 2), getKeys(key))).toBe(false);
    expect(await isCovered(coverage(3), WORKSPACE, leaf(RUN, 2), getKeys(stranger))).toBe(false);
  });
});
