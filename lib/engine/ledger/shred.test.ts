import { beforeAll, describe, expect, it } from "vitest";
import { atGate, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { chainOf, exportOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import { parseExport } from "@/lib/engine/ledger/export";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { isInScope, findMissingCell, shredRecord, type ShredScope } from "@/lib/engine/ledger/shred";
import { replay } from "@/lib/engine/ledger/replay";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

let key: TestKey;
let other: TestKey;
let run: TestRun;
let ledger: LedgerExport;
const GONE = { seq: 0, index: 1 };

const isGone = (cell: { seq: number; index: number }) => cell.seq === GONE.seq && cell.index === GONE.index;

const shredded = (cells: { seq: number; index: number }[], runId = ledger.run): LedgerRecord =>
  shredRecord(
    {
      id: uuid(70),
      workspace: ledger.workspace,
      at: 1,
      principal: user(uuid(71), "admin", true),
      body: { kind: "shred", run: runId, scope: { type: "run" }, reason: "leaked" },
    },
    cells,
    null,
  );

const storedBy = async (record: LedgerRecord, signer: TestKey) => (await chainOf([record], signer)).map(storedOf);

beforeAll(async () => {
  [key, other] = [await newKey("k1"), await newKey("k2")];
  run = atGate();
  ledger = exportOf(
    run,
    await chainOf(
      run.records().map(({ record }) => record),
      key,
    ),
  );
  ledger = { ...ledger, cells: ledger.cells.map((cell) => (isGone(cell) ? { ...cell, opened: "shredded" } : cell)) };
});

const verify = async (record: LedgerRecord, signer = key) =>
  verifyLedger({ ...ledger, shreds: await storedBy(record, signer) }, getKeys(key));

describe("a shredded cell", () => {
  it("is accepted and counted with a signed workspace record", async () => {
    expect(await verify(shredded([GONE]))).toMatchObject({
      ok: true,
      cellsShredded: 1,
      cellsHidden: 0,
      cellsOpened: ledger.cells.length - 1,
    });
  });

  it("is accepted although the same record says more", async () => {
    const record = shredded([GONE]);
    const more = { type: "passkey_revoked", user: uuid(71), credential_id: "c" } as const;
    expect(await verify({ ...record, control: [more, ...record.control] })).toMatchObject({ ok: true, cellsShredded: 1 });
  });

  it("counts as deleted without such a record", async () => {
    const bad = { ok: false, seq: 0, reason: "cell_missing" };
    expect(await verifyLedger(ledger, getKeys(key))).toEqual(bad);
    expect(await verify(shredded([{ ...GONE, index: 0 }]))).toEqual(bad);
    expect(await verify(shredded([{ ...GONE, seq: 1 }]))).toEqual(bad);
    expect(await verify(shredded([GONE], uuid(99)))).toEqual(bad);
    expect(await verify(shredded([GONE]), other)).toEqual(bad);
  });

  it("is not excused by a record of a run or another workspace, a modified one, or one with another number", async () => {
    const bad = { ok: false, seq: 0, reason: "cell_missing" };
    expect(await verify({ ...shredded([GONE]), run: ledger.run })).toEqual(bad);
    expect(await verify({ ...shredded([GONE]), workspace: uuid(98), run: getWorkspaceLedgerId(uuid(98)) })).toEqual(bad);
    expect(await verify({ ...shredded([GONE]), workspace: uuid(98) })).toEqual(bad);
    const [named] = await storedBy(shredded([{ seq: 0, index: 2 }]), key);
    const forged = { ...named!, body: named!.body.replace('"index":2', '"index":1') };
    expect(forged.body).not.toBe(named!.body);
    const [genuine] = await storedBy(shredded([GONE]), key);
    const spaced = { ...genuine!, body: genuine!.body.replace('"v":1', '"v": 1') };
    const unsigned = { ...genuine!, signature: named!.signature };
    for (const stored of [forged, spaced, unsigned, { ...genuine!, seq: 1 }, { ...genuine!, body: "{" }]) {
      expect(await verifyLedger({ ...ledger, shreds: [stored] }, getKeys(key))).toEqual(bad);
    }
  });

  it("is not excused when its row is missing", async () => {
    const without = { ...ledger, cells: ledger.cells.filter((cell) => !isGone(cell)), shreds: await storedBy(shredded([GONE]), key) };
    expect(await verifyLedger(without, getKeys(key))).toEqual({ ok: false, seq: 0, reason: "cell_missing" });
  });

  it("survives export, and its value is missing in a fork", async () => {
    const shreds = await storedBy(shredded([GONE]), key);
    const parsed = parseExport({
      format: "countersign/export/v1",
      ledger: { ...ledger, shreds },
      public_keys: {},
      published: null,
      signature: null,
    });
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && (await verifyLedger(parsed.value.ledger, getKeys(key)))).toMatchObject({ ok: true, cellsShredded: 1 });
    const { state } = replay(ledger, "");
    expect(findMissingCell(state)).toMatchObject(GONE);
    expect(findMissingCell(run.state())).toBeUndefined();
  });
});

describe("a shredding record", () => {
  it("names cells, person and reason, but no content", () => {
    const record = shredded([GONE]);
    expect(record).toMatchObject({ kind: "transition", proposal_kind: "shred", writes: [], refusal: null });
    expect(record.control).toEqual([{ type: "cells_shredded", run: ledger.run, reason: "leaked", cells: [GONE] }]);
    const refused = shredRecord(
      {
        id: uuid(70),
        workspace: ledger.workspace,
        at: 1,
        principal: user(uuid(71), "viewer"),
        body: { kind: "shred", run: ledger.run, scope: { type: "run" }, reason: "leaked" },
      },
      "role_missing",
      { version: 4, head: record.parent },
    );
    expect(refused).toMatchObject({ kind: "refusal", seq: 4, control: [], refusal: { code: "role_missing" } });
  });
});

describe("a shredding scope", () => {
  it.each<[ShredScope, string, boolean]>([
    [{ type: "path", path: "request" }, "request", true],
    [{ type: "path", path: "request" }, "request.plan", true],
    [{ type: "path", path: "request" }, "@12/request.plan", true],
    [{ type: "path", path: "request" }, "requests", false],
    [{ type: "path", path: "request.plan" }, "request", false],
    [{ type: "path", path: "request.plan" }, "request.name", false],
    [{ type: "path", path: "request" }, "$result.request", false],
    [{ type: "run" }, "$thread.1.1", true],
    [{ type: "cell", seq: 3, index: 0 }, "request", true],
    [{ type: "cell", seq: 3, index: 1 }, "request", false],
    [{ type: "cell", seq: 4, index: 0 }, "request", false],
    [{ type: "path", path: "" }, "request", false],
    [{ type: "path", path: "$thread" }, "$thread.1.1", false],
  ])("%j: %s is %s", (scope, path, isMeant) => {
    expect(isInScope(scope, { seq: 3, index: 0, path })).toBe(isMeant);
  });
});
