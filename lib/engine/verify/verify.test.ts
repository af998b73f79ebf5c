import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { atGate, decideAs, intent, result, REVIEWER, settle, update, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { chainOf, exportOf, getKeys, newKey, storedOf, type TestKey } from "@/lib/engine/testing/ledger";
import type { RunEvent } from "@/lib/engine/event";
import { computeHandoverDigest } from "@/lib/engine/ledger/handover";
import { BAD_REASONS, verifyLedger, type BadReason, type LedgerExport } from "@/lib/engine/verify/verify";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { toCanonicalJson } from "@/lib/json";

let key: TestKey;
let other: TestKey;
let run: TestRun;
let chain: SignedRecord[];
let ledger: LedgerExport;

beforeAll(async () => {
  [key, other] = [await newKey("k1"), await newKey("k2")];
  run = atGate();
  run.work(result(update("nowhere", 1)));
  decideAs(run, user(REVIEWER));
  run.work(intent("crm", "update", { plan: "team" }));
  settle(run, "done");
  run.work(result(update("result", "done")));
  chain = await chainOf(
    run.records().map(({ record }) => record),
    key,
  );
  ledger = exportOf(run, chain);
});

const verify = (changed: LedgerExport) => verifyLedger(changed, getKeys(key, other));
const withRecord = (seq: number, change: Partial<LedgerExport["records"][number]>): LedgerExport => ({
  ...ledger,
  records: ledger.records.map((record) => (record.seq === seq ? { ...record, ...change } : record)),
});
const withCell = (place: number, change: Partial<LedgerExport["cells"][number]>): LedgerExport => ({
  ...ledger,
  cells: ledger.cells.map((cell, index) => (index === place ? { ...cell, ...change } : cell)),
});
const without = (seq: number) => ({ ...ledger, records: ledger.records.filter((record) => record.seq !== seq) });
const signedAnew = async (seq: number, change: (record: SignedRecord["record"]) => SignedRecord["record"]) => {
  const records = chain.map(({ record }) => record);
  const again = await chainOf(
    records.map((record) => (record.seq === seq ? change(record) : record)),
    key,
  );

  return again[seq];
};
const writer = () => ledger.cells[0];

const TAMPERED: Record<BadReason, () => [LedgerExport, number] | Promise<[LedgerExport, number]>> = {
  malformed: () => [withRecord(2, { body: '{"v":1}' }), 2],
  hash: () => [withRecord(2, { body: ledger.records[2]?.body.replace('"kind":"transition"', '"kind": "transition"') ?? "" }), 2],
  link: async () => {
    const [alone] = await chainOf([chain[3]?.record ?? chain[0]!.record], key);

    return [withRecord(3, storedOf(alone!)), 3];
  },
  signature: () => [withRecord(2, { signature: ledger.records[3]?.signature ?? "" }), 2],
  seq_gap: () => [without(2), 2],
  truncated: () => [
    { ...ledger, records: ledger.records.slice(0, -1), cells: ledger.cells.filter((cell) => cell.seq < ledger.records.length - 1) },
    chain.length - 1,
  ],
  wrong_run: () => [{ ...ledger, run: uuid(999) }, 0],
  unknown_key: () => [withRecord(2, { kid: "k9" }), 2],
  retired_key: async () => {
    const statement = { from: key.kid, to: other.kid, to_key: other.public, at: (chain[3]?.record.at ?? 0) - 1 };
    const signature = await key.sign(hexToBytes(computeHandoverDigest(statement)));
    const seq = chain.findIndex(({ record }) => record.at > statement.at);

    return [{ ...ledger, handovers: [{ statement, signature }] }, seq];
  },
  receipt: async () => {
    const at = chain.findIndex(({ record }) => record.control.some((event) => event.type === "gate_resolved"));
    const { record } = chain[at]!;
    const control = record.control.map((event) =>
      event.type === "gate_resolved" && event.receipt ? { ...event, receipt: { ...event.receipt, signature: chain[0]!.signature } } : event,
    );
    const { recordDigest } = await import("@/lib/engine/ledger/chain");
    const forged = { ...record, control };
    const digest = recordDigest(forged);

    return [withRecord(at, storedOf({ record: forged, digest, kid: key.kid, signature: await key.sign(hexToBytes(digest)) })), at];
  },
  approvers: async () => {
    const records = run.records().map(({ record }) => record);
    const opened = records.findIndex((record) => record.control.some(({ type }) => type === "gate_opened"));
    const made = records.findIndex((record) => record.control.some(({ type }) => type === "decision_made"));
    const control = records[opened]?.control.map((event) =>
      event.type === "gate_opened"
        ? { ...event, gate: { ...event.gate, demands: [{ groups: ["Finance"], people: [], count: 1 }] } }
        : event,
    );

    return [exportOf(run, await chainOf(records.with(opened, { ...records[opened]!, control: control ?? [] }), key)), made];
  },
  passkey: async () => {
    const demanded = chain.map(({ record }) => ({
      ...record,
      control: record.control.map((event) =>
        event.type === "gate_opened" ? { ...event, gate: { ...event.gate, signature: "passkey" as const } } : event,
      ),
    }));
    const at = chain.findIndex(({ record }) => record.control.some((event) => event.type === "decision_made"));

    return [exportOf(run, await chainOf(demanded, key)), at];
  },
  commitment: () => [withCell(0, { opened: { salt: "00".repeat(32), value: "another" } }), 0],
  cell_missing: () => [{ ...ledger, cells: ledger.cells.slice(1) }, 0],
  cell_label: () => [withCell(0, { label: { integrity: "trusted", confidentiality: "public", provenance: [] } }), 0],
  cell_extra: () => [{ ...ledger, cells: [...ledger.cells, { ...writer()!, index: 7 }] }, 0],
  cell_unreadable: () => [withCell(0, { opened: "unreadable" }), 0],
  fork_parent: async () => {
    const forged = await signedAnew(2, (record) => ({
      ...record,
      run: uuid(50),
      control: [
        {
          type: "run_forked",
          run: uuid(50),
          graph_hash: record.graph_hash,
          parent_run: uuid(51),
          parent_seq: 2,
          change: { type: "none" },
          effects: "live",
        },
      ],
    }));

    return [withRecord(2, storedOf(forged!)), 2];
  },
};

describe("a ledger", () => {
  it("verifies as written, with any cells opened or hidden", async () => {
    expect(await verify(ledger)).toEqual({
      ok: true,
      records: chain.length,
      cellsOpened: ledger.cells.length,
      cellsHidden: 0,
      cellsShredded: 0,
      head: chain.at(-1)?.digest,
    });
    const hidden = { ...ledger, cells: ledger.cells.map((cell) => ({ ...cell, opened: null })) };
    expect(await verify(hidden)).toMatchObject({ ok: true, cellsOpened: 0, cellsHidden: ledger.cells.length });
  });

  it.each(BAD_REASONS)("with %s fails at its first bad record", async (reason) => {
    const [tampered, seq] = await TAMPERED[reason]();
    expect(await verify(tampered)).toEqual({ ok: false, seq, reason });
  });

  it("fails at a cell with another commitment than its record's, also if its value is hidden", async () => {
    for (const change of [{}, { opened: null }])
      expect(await verify(withCell(0, { commitment: "0".repeat(64), ...change }))).toEqual({ ok: false, seq: 0, reason: "commitment" });
  });

  it("fails under a head of another length", async () => {
    for (const version of [chain.length - 1, chain.length + 1])
      expect(await verify({ ...ledger, head: { ...ledger.head, version } })).toMatchObject({ ok: false, reason: "truncated" });
  });

  it("fails at a bad record among hundreds", async () => {
    const long = atGate();
    for (let tries = 0; tries < 300; tries += 1) decideAs(long, user(REVIEWER, "viewer"));
    const document = exportOf(
      long,
      await chainOf(
        long.records().map(({ record }) => record),
        key,
      ),
    );
    expect(await verify(document)).toMatchObject({ ok: true, records: document.records.length });
    for (const seq of [127, 128, 200, document.records.length - 1]) {
      const records = document.records.with(seq, { ...document.records[seq]!, signature: document.records[0]!.signature });
      expect(await verify({ ...document, records })).toEqual({ ok: false, seq, reason: "signature" });
    }
  });

  it("fails at a cell at another path, and in another workspace", async () => {
    expect(await verify(withCell(0, { path: "elsewhere" }))).toEqual({ ok: false, seq: 0, reason: "cell_label" });
    expect(await verify({ ...ledger, workspace: uuid(998) })).toEqual({ ok: false, seq: 0, reason: "wrong_run" });
  });

  it("fails at a record that stands under another number, even the last", async () => {
    for (const seq of [0, 2, chain.length - 1])
      expect(await verify(withRecord(seq, { seq: chain.length + 3 }))).toEqual({ ok: false, seq, reason: "seq_gap" });
  });

  it("fails at a receipt that a retired key issued, though a valid key signed its record", async () => {
    const isReceipt = (event: RunEvent) => event.type === "gate_resolved" && event.receipt !== null;
    const at = chain.findIndex(({ record }) => record.control.some(isReceipt));
    const statement = { from: key.kid, to: other.kid, to_key: other.public, at: (chain[at]?.record.at ?? 0) - 1 };
    const handovers = [{ statement, signature: await key.sign(hexToBytes(computeHandoverDigest(statement))) }];
    const records = await Promise.all(
      chain.map(async (signed) =>
        signed.record.at <= statement.at
          ? storedOf(signed)
          : storedOf({ ...signed, kid: other.kid, signature: await other.sign(hexToBytes(signed.digest)) }),
      ),
    );
    expect(await verify({ ...ledger, handovers, records })).toEqual({ ok: false, seq: at, reason: "retired_key" });
  });

  it("reports progress", async () => {
    const seen: number[] = [];
    await verifyLedger(ledger, getKeys(key), (checked) => seen.push(checked));
    expect(seen).toEqual(chain.map((_record, index) => index + 1));
  });

  it("fails after a change of any character of any record", async () => {
    for (const { seq, body } of ledger.records) {
      const at = (seq * 97) % body.length;
      const changed = `${body.slice(0, at)}${body[at] === "1" ? "2" : "1"}${body.slice(at + 1)}`;
      expect(await verify(withRecord(seq, { body: changed }))).toMatchObject({ ok: false, seq });
    }
  });

  it("fails with a foreign signature, also under a known key id", async () => {
    const forged = exportOf(
      run,
      await chainOf(
        run.records().map(({ record }) => record),
        other,
      ),
    );
    expect(await verifyLedger(forged, getKeys(key))).toEqual({ ok: false, seq: 0, reason: "unknown_key" });
    const named = { ...forged, records: forged.records.map((record) => ({ ...record, kid: key.kid })) };
    expect(await verify(named)).toMatchObject({ ok: false, seq: 0, reason: "signature" });
    expect(await verify({ ...forged, records: forged.records.map((record) => ({ ...record, kid: "constructor" })) })).toMatchObject({
      reason: "unknown_key",
    });
  });

  it("fails with two cells at one place, or cells without a record", async () => {
    expect(await verify({ ...ledger, cells: [...ledger.cells, { ...writer()!, opened: null }] })).toEqual({
      ok: false,
      seq: 0,
      reason: "cell_extra",
    });
    for (const seq of [-1, 0.5, 99]) {
      expect(await verify({ ...ledger, cells: [...ledger.cells, { ...writer()!, seq }] })).toMatchObject({
        ok: false,
        reason: "cell_extra",
      });
    }
  });

  it("never throws, whatever it is given", async () => {
    const half = (chain[0] && toCanonicalJson(chain[0].record).replace('"proposal_kind":"start"', '"proposal_kind":"\\ud800"')) ?? "";
    const hostile: LedgerExport[] = [
      withRecord(0, { body: half }),
      withRecord(0, { body: "" }),
      withRecord(0, { body: "[".repeat(10_000) }),
      withRecord(0, { signature: "A" }),
      withRecord(0, { digest: "z" }),
      withCell(0, { opened: { salt: "short", value: 1 } }),
      withCell(0, { opened: { salt: "00".repeat(32), value: "\ud800" } }),
      withCell(0, { label: "\ud800" }),
      { ...ledger, records: [] },
    ];
    for (const one of hostile) expect(await verify(one)).toMatchObject({ ok: false });
  });

  it("signed again by the key holder cannot keep its old head", async () => {
    const changed = await signedAnew(chain.length - 1, (record) => ({ ...record, at: record.at + 1 }));
    expect(await verify(withRecord(chain.length - 1, storedOf(changed!)))).toEqual({ ok: false, seq: chain.length, reason: "truncated" });
  });
});
