import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, test } from "vitest";
import { computeCheckpointDigest, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { CheckpointFile } from "@/lib/engine/ledger/checkpoint-file";
import { formatCheckpointLine, findCheckpointLinesFault, parseCheckpointLines } from "@/lib/engine/ledger/checkpoint-lines";
import { recognise } from "@/lib/engine/verify/offline";
import { EMPTY_FRONTIER, extend, hashLeaf, computeRoot } from "@/lib/engine/ledger/merkle";
import { buildGrowthProof } from "@/lib/engine/ledger/merkle-growth";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { uuid } from "@/lib/engine/testing/run";

const WORKSPACE = uuid(1);
const leaves = Array.from({ length: 9 }, (_, n) => hashLeaf(Uint8Array.of(n)));
const frontierOf = (count: number) => extend(EMPTY_FRONTIER, leaves.slice(0, count));

let key: TestKey;
let public_keys: Record<string, string>;

const sign = async (count: number, root = computeRoot(frontierOf(count))): Promise<SignedCheckpoint> => {
  const checkpoint = { origin: WORKSPACE, count, root, at: 1_000 + count };

  return { checkpoint, kid: key.kid, signature: await key.sign(hexToBytes(computeCheckpointDigest(checkpoint))) };
};

const line = async (count: number, since: number | null): Promise<CheckpointFile> => ({
  format: "countersign/checkpoint/v1",
  checkpoints: [
    {
      signed: await sign(count),
      since: since === null ? null : { signed: await sign(since), proof: buildGrowthProof(frontierOf(since), leaves.slice(since, count)) },
    },
  ],
  public_keys,
});

let chain: CheckpointFile[];
const faultOf = (files: readonly CheckpointFile[]) => findCheckpointLinesFault(files, (file) => file.public_keys);

beforeAll(async () => {
  key = await newKey("k1");
  public_keys = { [key.kid]: key.public };
  chain = [await line(2, null), await line(5, 2), await line(9, 5)];
});

describe("checkpoint history", () => {
  test("reads its own lines and proves that the log only grew", async () => {
    const read = parseCheckpointLines(chain.map(formatCheckpointLine).join(""));
    expect(read).toEqual({ files: chain, torn: 0, foreign: null });
    expect(await faultOf(read.files)).toBeNull();
  });

  test("detects a missing line and names the inconsistent one", async () => {
    expect(await faultOf([chain[0]!, chain[2]!])).toEqual({ reason: "not_linked", workspace: WORKSPACE, line: 2 });
    expect(await faultOf([chain[0]!, chain[1]!, await line(9, null)])).toEqual({ reason: "not_linked", workspace: WORKSPACE, line: 3 });
  });

  test("detects a rewritten log and an unsigned line", async () => {
    const [first, second] = [chain[1]!.checkpoints[0]!, chain[2]!.checkpoints[0]!];
    const rewritten = { ...chain[2]!, checkpoints: [{ ...second, signed: await sign(9, hashLeaf(Uint8Array.of(99))) }] };
    expect(await faultOf([chain[0]!, chain[1]!, rewritten])).toMatchObject({ reason: "not_consistent", line: 3 });
    const forged = { ...chain[1]!, checkpoints: [{ ...first, signed: { ...first.signed, signature: second.signed.signature } }] };
    expect(await faultOf([chain[0]!, forged])).toMatchObject({ reason: "checkpoint_signature", line: 2 });
  });

  test("continues after a line torn by a crash, which neither counts nor hides anything", async () => {
    const [one, two, three] = chain.map(formatCheckpointLine);
    const torn = `${one}${two!.slice(0, 40)}\n${two}${three}`;
    expect(parseCheckpointLines(torn)).toEqual({ files: chain, torn: 1, foreign: null });
    const lost = parseCheckpointLines(`${one}${two!.slice(0, 40)}\n${three}`);
    expect(await faultOf(lost.files)).toMatchObject({ reason: "not_linked", line: 2 });
  });

  test("rejects files with other documents: a complete line that is no checkpoint was not torn", () => {
    const [one, two, three] = chain.map(formatCheckpointLine);
    for (const other of [three!.replace('"count":9', '"count":"9"'), '{ "format":"countersign/workspace/v1"}\n', "1\n"]) {
      expect(parseCheckpointLines(`${one}${two}${other}`)).toMatchObject({ torn: 0, foreign: 3 });
      expect(recognise(`${one}${two}${other}`)).toMatchObject({ type: "unknown" });
    }
    expect(recognise(`${one}${two}`)).toMatchObject({ type: "checkpoints" });
  });
});
