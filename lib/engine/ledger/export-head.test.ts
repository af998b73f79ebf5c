import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { computeCheckpointDigest, hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { isWhole, verifyExport, type RunExport } from "@/lib/engine/ledger/export";
import { computeHandoverDigest, type SignedHandover } from "@/lib/engine/ledger/handover";
import { computeHeadDigest, type SignedHead } from "@/lib/engine/ledger/head-statement";
import { computeRoot, extend, EMPTY_FRONTIER } from "@/lib/engine/ledger/merkle";
import { verifyGiven } from "@/lib/engine/verify/offline";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate } from "@/lib/engine/testing/run";
import { toPlainVersion } from "@/lib/graph/publish";

let old: TestKey;
let next: TestKey;
let document: RunExport;

const headOf = async (version: number, at: number, key: TestKey): Promise<SignedHead> => {
  const { workspace, run, records } = document.ledger;
  const statement = { workspace, run, version, head: records[version - 1]?.digest ?? "", at };

  return { statement, kid: key.kid, signature: await key.sign(hexToBytes(computeHeadDigest(statement))) };
};

const handedOver = async (at: number): Promise<SignedHandover> => {
  const statement = { from: old.kid, to: next.kid, to_key: next.public, at };

  return { statement, signature: await old.sign(hexToBytes(computeHandoverDigest(statement))) };
};

beforeAll(async () => {
  [old, next] = [await newKey("old"), await newKey("next")];
  const run = atGate();
  const chain = await chainOf(
    run.records().map(({ record }) => record),
    old,
  );
  const ledger = exportOf(run, chain);
  document = {
    format: "countersign/export/v1",
    ledger: { ...ledger, records: [...ledger.records], cells: [...ledger.cells] },
    public_keys: getKeys(old, next),
    published: toPlainVersion(run.published),
    signature: null,
  };
});

describe("a signed head", () => {
  it("covers the end it names, but not the end of a longer ledger", async () => {
    const count = document.ledger.records.length;
    const keys = getKeys(old, next);
    const full = { ...document, head_signed: await headOf(count, 1, old) };
    const older = { ...document, head_signed: await headOf(count - 2, 1, old) };

    expect([isWhole(full), isWhole(older), isWhole(document)]).toEqual([true, false, false]);
    const report = (given: RunExport) => verifyGiven({ type: "run", document: given }, { keys, kept: [] }, () => undefined);
    expect(await report(full)).toMatchObject({ ok: true, warnings: [] });
    expect(await report(older)).toMatchObject({ ok: true, warnings: [expect.stringContaining("removed from its end") as string] });
  });

  it("is rejected when its key was retired before", async () => {
    const at = Math.max(...document.ledger.records.map(({ body }) => (JSON.parse(body) as { at: number }).at));
    const ledger = { ...document.ledger, handovers: [await handedOver(at)] };
    const count = ledger.records.length;
    const keys = getKeys(old, next);

    expect(await verifyExport({ ...document, ledger, head_signed: await headOf(count, at, old) }, keys)).toMatchObject({ ok: true });
    expect(await verifyExport({ ...document, ledger, head_signed: await headOf(count, at + 1, next) }, keys)).toMatchObject({ ok: true });
    expect(await verifyExport({ ...document, ledger, head_signed: await headOf(count, at + 1, old) }, keys)).toEqual({
      ok: false,
      seq: count,
      reason: "head",
    });
  });

  it("does not make a later checkpoint by a retired key valid", async () => {
    const { workspace, run, records } = document.ledger;
    const seq = records.length - 1;
    const leaf = hashOfLeaf({ run, seq, digest: records[seq]?.digest ?? "" });
    const last = Math.max(...records.map(({ body }) => (JSON.parse(body) as { at: number }).at));
    const ledger = { ...document.ledger, handovers: [await handedOver(last)] };
    const covered = async (at: number): Promise<RunExport> => {
      const checkpoint = { origin: workspace, count: 1, root: computeRoot(extend(EMPTY_FRONTIER, [leaf])), at };
      const signed = { checkpoint, kid: old.kid, signature: await old.sign(hexToBytes(computeCheckpointDigest(checkpoint))) };

      return { ...document, ledger, coverage: { signed, index: 0, proof: [] } };
    };

    expect(await verifyExport(await covered(last), getKeys(old, next))).toMatchObject({ ok: true });
    expect(await verifyExport(await covered(last + 1), getKeys(old, next))).toEqual({ ok: false, seq, reason: "checkpoint" });
  });
});
