import { beforeAll, expect, test } from "vitest";
import { hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { buildMerkleTree } from "@/lib/engine/ledger/merkle-tree";
import { isNewerCheckpoint, isNewerHead, logMemory, runMemoryFault } from "@/lib/engine/ledger/remembered";
import { tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import { signedCheckpoint, testWorkspace, type TestWorkspace } from "@/lib/engine/testing/workspace";

let world: TestWorkspace;

beforeAll(async () => {
  world = await testWorkspace();
});

test("accepts a run that extends the remembered head, and rejects a shorter or different one", () => {
  const { records } = world.ledger;
  const remembered = { version: 4, digest: records[3]?.digest ?? "", at: 0 };

  expect(runMemoryFault(records, remembered)).toBeNull();
  expect(runMemoryFault(records.slice(0, 4), remembered)).toBeNull();
  expect(runMemoryFault(records.slice(0, 3), remembered)).toEqual({ reason: "head_shorter", seq: 3 });
  expect(runMemoryFault(records, { ...remembered, digest: "0".repeat(64) })).toEqual({ reason: "head_rewritten", seq: 3 });
  const whole = { version: records.length, digest: records.at(-1)?.digest ?? "", at: 0 };
  const back = tamperLedger("rollback", world.ledger);
  expect(back && runMemoryFault(back.document.records, whole)).toEqual({ reason: "head_shorter", seq: back?.seq });
});

test("accepts a log that extends the remembered checkpoint with a proof, and rejects a shorter or different one", async () => {
  const { document, key, kept } = world;
  const [first] = document.checkpoints;
  if (!first) throw new Error("there is a checkpoint");
  const proof = buildMerkleTree(document.leaves.map(hashOfLeaf)).consistency(first.signed.checkpoint.count, kept.checkpoint.count);
  const other = await signedCheckpoint(key, document.workspace, document.leaves.toReversed(), document.leaves.length, kept.checkpoint.at);

  expect(logMemory(first.signed, kept, proof)).toBe("extends");
  expect(logMemory(kept, kept, [])).toBe("extends");
  expect(logMemory(kept, first.signed, [])).toBe("shorter");
  expect(logMemory(kept, null, [])).toBe("shorter");
  expect(logMemory(first.signed, kept, [])).toBe("rewritten");
  expect(logMemory(first.signed, other, proof)).toBe("rewritten");
});

test("never replaces the remembered head by a smaller one or by another of equal length", async () => {
  const { document, key, kept } = world;
  const [first] = document.checkpoints;
  if (!first) throw new Error("there is a checkpoint");
  const other = await signedCheckpoint(key, document.workspace, document.leaves.toReversed(), kept.checkpoint.count, kept.checkpoint.at);
  const headAt = (version: number) => ({ version, digest: "0".repeat(64), at: 0 });

  expect([isNewerCheckpoint(first.signed, null), isNewerCheckpoint(kept, first.signed)]).toEqual([true, true]);
  expect([isNewerCheckpoint(first.signed, kept), isNewerCheckpoint(other, kept)]).toEqual([false, false]);
  expect([isNewerHead(headAt(1), null), isNewerHead(headAt(2), headAt(1))]).toEqual([true, true]);
  expect([isNewerHead(headAt(1), headAt(2)), isNewerHead(headAt(2), headAt(2))]).toEqual([false, false]);
});
