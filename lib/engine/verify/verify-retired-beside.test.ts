import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, expect, it } from "vitest";
import { computeHandoverDigest, type SignedHandover } from "@/lib/engine/ledger/handover";
import { shredRecord } from "@/lib/engine/ledger/shred";
import { chainOf, exportOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate, user, uuid } from "@/lib/engine/testing/run";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";

let old: TestKey;
let next: TestKey;
let ledger: LedgerExport;
let end: number;

beforeAll(async () => {
  [old, next] = [await newKey("old"), await newKey("next")];
  const run = atGate();
  const records = run.records().map(({ record }) => record);
  ledger = exportOf(run, await chainOf(records, old));
  end = Math.max(...records.map(({ at }) => at));
});

const handover = async (): Promise<SignedHandover> => {
  const statement = { from: old.kid, to: next.kid, to_key: next.public, at: end };

  return { statement, signature: await old.sign(hexToBytes(computeHandoverDigest(statement))) };
};

const shredded = async (by: TestKey, at: number): Promise<LedgerExport> => {
  const [cell] = ledger.cells;
  if (!cell) throw new Error("there is a cell");
  const { workspace, run } = ledger;
  const body = { kind: "shred" as const, run, scope: { type: "run" as const }, reason: "erasure_request" as const };
  const record = shredRecord(
    { id: uuid(77), workspace, at, principal: user(uuid(78), "admin"), body },
    [{ seq: cell.seq, index: cell.index }],
    null,
  );
  const [signed] = await chainOf([record], by);
  const cells = ledger.cells.map((one) => (one === cell ? { ...one, opened: "shredded" as const } : one));

  return { ...ledger, cells, shreds: signed ? [storedOf(signed)] : [], handovers: [await handover()] };
};

it("accepts a missing value only with a key that was not retired", async () => {
  const keys = getKeys(old, next);

  expect(await verifyLedger(await shredded(old, end), keys)).toMatchObject({ ok: true, cellsShredded: 1 });
  expect(await verifyLedger(await shredded(next, end + 1), keys)).toMatchObject({ ok: true, cellsShredded: 1 });
  expect(await verifyLedger(await shredded(old, end + 1), keys)).toMatchObject({ ok: false, reason: "cell_missing" });
});
