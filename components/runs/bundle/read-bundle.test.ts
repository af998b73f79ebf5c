import { beforeAll, describe, expect, test } from "vitest";
import { hexToBytes } from "@noble/hashes/utils.js";
import { toPlainVersion } from "@/lib/graph/publish";
import { computeHeadDigest } from "@/lib/engine/ledger/head-statement";
import type { RunExport } from "@/lib/engine/ledger/export";
import { exportOf, chainOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { atGate } from "@/lib/engine/testing/run";
import { parsePastedKeys } from "./pasted-keys";
import { MOST_BYTES, readBundle, type BundleProgress } from "./read-bundle";

let key: TestKey;
let document: RunExport;

const fileOf = (value: unknown) => new Blob([typeof value === "string" ? value : JSON.stringify(value)]);
const read = (value: unknown) => readBundle(fileOf(value), getKeys(key));

beforeAll(async () => {
  key = await newKey("ours");
  const run = atGate();
  const chain = await chainOf(
    run.records().map(({ record }) => record),
    key,
  );
  const ledger = exportOf(run, chain);
  const last = chain.at(-1);
  if (!last) throw new Error("no record");
  const { workspace, run: id } = ledger;
  const statement = { workspace, run: id, version: chain.length, head: last.digest, at: 1 };
  document = {
    format: "countersign/export/v1",
    ledger: { ...ledger, records: [...ledger.records], cells: [...ledger.cells] },
    public_keys: getKeys(key),
    published: toPlainVersion(run.published),
    head_signed: { statement, kid: key.kid, signature: await key.sign(hexToBytes(computeHeadDigest(statement))) },
    signature: null,
  };
});

describe("readBundle", () => {
  test("accepts a file that verifies with trusted keys, and reports progress", async () => {
    const seen: BundleProgress[] = [];
    const result = await readBundle(fileOf(document), getKeys(key), (progress) => seen.push(progress));

    expect(result).toMatchObject({ ok: true, bundle: { records: document.ledger.records.length, isWhole: true } });
    expect(seen[0]).toEqual({ step: "reading" });
    expect(seen.at(-1)).toEqual({ step: "checking", checked: document.ledger.records.length, total: document.ledger.records.length });
  });

  test("accepts a file signed by another key only with the keys in the file", async () => {
    const theirs = getKeys(await newKey("theirs"));

    expect(await readBundle(fileOf(document), theirs)).toMatchObject({
      ok: false,
      kind: "tampered",
      seq: 0,
      sentence: expect.stringContaining("key") as string,
    });
    expect(await readBundle(fileOf(document), null)).toMatchObject({ ok: true });
  });

  test("names the first invalid record of a changed file, and the missing record of a truncated one", async () => {
    const { ledger } = document;
    const records = ledger.records.map((record) =>
      record.seq === 2 ? { ...record, body: record.body.replace('"at":', '"at":9') } : record,
    );
    expect(await read({ ...document, ledger: { ...ledger, records } })).toMatchObject({ ok: false, kind: "tampered", seq: 2 });
    const short = ledger.records.slice(0, -1);
    const cut = {
      ...ledger,
      records: short,
      cells: ledger.cells.filter(({ seq }) => seq < short.length),
      head: { version: short.length, digest: short.at(-1)?.digest },
    };
    expect(await read({ ...document, ledger: cut })).toMatchObject({
      ok: false,
      kind: "tampered",
      seq: short.length,
      sentence: expect.stringContaining("missing") as string,
    });
  });

  test("reports damaged, foreign and oversized files in one sentence", async () => {
    expect(await read(JSON.stringify(document).slice(0, -40))).toMatchObject({ ok: false, kind: "broken", seq: null });
    expect(await read("")).toMatchObject({ ok: false, kind: "broken" });
    expect(await read({ ...document, ledger: [] })).toMatchObject({ ok: false, kind: "broken" });
    expect(await read({ hello: 1 })).toMatchObject({ ok: false, kind: "foreign" });
    expect(await read([])).toMatchObject({ ok: false, kind: "foreign" });
    const huge = { size: MOST_BYTES + 1, text: async () => Promise.reject(new Error("it must not be read")) };
    expect(await readBundle(huge, null)).toMatchObject({
      ok: false,
      kind: "huge",
      sentence: expect.stringContaining("countersign verify") as string,
    });
  });
});

describe("pasted keys", () => {
  test("accepts the output of countersign keys or lines, and nothing else", () => {
    const value = "A".repeat(43);
    expect(parsePastedKeys(JSON.stringify({ k1: value }))).toEqual({ k1: value });
    expect(parsePastedKeys(`k1 ${value}\n\nk2: ${value}\n`)).toEqual({ k1: value, k2: value });
    for (const text of ["", "{}", "k1", "k1 short", JSON.stringify({ k1: "x" }), "[]"]) expect(parsePastedKeys(text)).toBeNull();
  });
});
